/** What the kernel must not use any more, and is told without being asked. */
@NullMarked
package org.beefs.honeybee.fuse.notification;

import org.jspecify.annotations.NullMarked;
