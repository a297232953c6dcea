/** The native FUSE driver: the kernel's protocol on /dev/fuse through java.lang.foreign. */
@NullMarked
package org.beefs.honeybee.fuse;

import org.jspecify.annotations.NullMarked;
