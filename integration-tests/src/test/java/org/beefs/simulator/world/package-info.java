/** The simulated world: virtual time, hosts that crash and stop, and a network that loses, delays and repeats. */
@NullMarked
package org.beefs.simulator.world;

import org.jspecify.annotations.NullMarked;
