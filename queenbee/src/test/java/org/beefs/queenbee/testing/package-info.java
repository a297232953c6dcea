/** A queen-bee without threads, disk and network, for tests and the simulator. */
@NullMarked
package org.beefs.queenbee.testing;

import org.jspecify.annotations.NullMarked;
