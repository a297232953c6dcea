/** Suites that others wrote: how they are run and what their output says. */
@NullMarked
package org.beefs.integration.suite;

import org.jspecify.annotations.NullMarked;
