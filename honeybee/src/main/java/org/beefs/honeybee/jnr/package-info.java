/** The second driver: mounts a file system through jnr-fuse and libfuse 2, which ask by paths. */
@NullMarked
package org.beefs.honeybee.jnr;

import org.jspecify.annotations.NullMarked;
