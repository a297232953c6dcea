/**
 * A file system as a driver sees it: POSIX at inode level, what goes through it, and what a kernel may keep of it. It
 * stands on nothing else of the honeybee; drivers know only this package, and {@code hive} is the implementation.
 * Nothing here has a state or a thread.
 */
@NullMarked
package org.beefs.honeybee.filesystem;

import org.jspecify.annotations.NullMarked;
