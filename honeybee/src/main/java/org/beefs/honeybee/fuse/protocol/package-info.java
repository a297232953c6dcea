/** What the kernel and the driver say to each other: requests' arguments, answers and notifications, as bytes. */
@NullMarked
package org.beefs.honeybee.fuse.protocol;

import org.jspecify.annotations.NullMarked;
