/** What each request means: calls of the file system, and the answers that become of their results. */
@NullMarked
package org.beefs.honeybee.fuse.operations;

import org.jspecify.annotations.NullMarked;
