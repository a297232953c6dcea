/**
 * Content: replicas in this process's honeycomb or in another desktop's, through one interface. {@link Honeycombs}
 * chooses, {@link HoneycombConnections} are the ways to other desktops.
 */
@NullMarked
package org.beefs.honeybee.data;

import org.jspecify.annotations.NullMarked;
