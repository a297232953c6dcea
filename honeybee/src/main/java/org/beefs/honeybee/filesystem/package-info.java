/**
 * A file system as a driver sees it: POSIX at inode level, and what goes through it. Drivers, traces and statistics
 * know only this package; {@code hive} is the implementation. Nothing here has a state or a thread.
 */
@NullMarked
package org.beefs.honeybee.filesystem;

import org.jspecify.annotations.NullMarked;
