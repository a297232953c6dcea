/** A hive of production code in a simulated world: its disks, its desktops, and what goes wrong. */
@NullMarked
package org.beefs.simulator.hive;

import org.jspecify.annotations.NullMarked;
