/** Drills of the recovery, and what came of them. */
@NullMarked
package org.beefs.queenbee.console.model.drill;

import org.jspecify.annotations.NullMarked;
