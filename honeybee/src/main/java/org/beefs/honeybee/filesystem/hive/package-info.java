/**
 * The hive as a file system, one for each mount: {@link HiveFileSystem}, and a class for each concern of POSIX at inode
 * level, such as names, directories, attributes and opening. Stands on {@code content}, {@code lock} and
 * {@code prefetch} beside it; only who wires a mount knows it.
 *
 * <p>Thread-safe: called by several readers of the kernel at once, while answers come on the threads of the network. No
 * thread waits, and no lock is held while another package is called.
 */
@NullMarked
package org.beefs.honeybee.filesystem.hive;

import org.jspecify.annotations.NullMarked;
