/** Whole hives of real processes: what a user gets, and what must hold whatever happens. */
@NullMarked
package org.beefs.integration;

import org.jspecify.annotations.NullMarked;
