/** Small stand-ins for the queen-bee and a honeycomb, on a network in memory and in one thread. */
@NullMarked
package org.beefs.honeybee.fake;

import org.jspecify.annotations.NullMarked;
