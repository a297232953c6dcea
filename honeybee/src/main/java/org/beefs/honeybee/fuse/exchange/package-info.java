/** A request that is under way: its memory, its caller, and the one answer that it gets. */
@NullMarked
package org.beefs.honeybee.fuse.exchange;

import org.jspecify.annotations.NullMarked;
