/** Whole hives of production code in one thread under a seed, and the tests that let them run. */
@NullMarked
package org.beefs.simulator;

import org.jspecify.annotations.NullMarked;
