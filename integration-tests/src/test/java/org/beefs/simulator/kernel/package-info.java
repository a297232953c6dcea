/** Linux with a mounted hive: what it remembers by itself, and what it asks the daemon. */
@NullMarked
package org.beefs.simulator.kernel;

import org.jspecify.annotations.NullMarked;
