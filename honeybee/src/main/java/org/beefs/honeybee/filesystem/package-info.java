/** The file system at inode level, between a FUSE driver and the hive. */
@NullMarked
package org.beefs.honeybee.filesystem;

import org.jspecify.annotations.NullMarked;
