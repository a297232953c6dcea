/** A honeycomb's disk and catalog in memory, for tests and for the simulator. */
@NullMarked
package org.beefs.honeycomb.memory;

import org.jspecify.annotations.NullMarked;
