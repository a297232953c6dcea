/** Time as it is injected everywhere: production reads the system's clocks, the simulator makes its own. */
@NullMarked
package org.beefs.common.time;

import org.jspecify.annotations.NullMarked;
