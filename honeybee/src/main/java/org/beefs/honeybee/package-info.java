/** The honeybee: the file system that a desktop mounts. */
@NullMarked
package org.beefs.honeybee;

import org.jspecify.annotations.NullMarked;
