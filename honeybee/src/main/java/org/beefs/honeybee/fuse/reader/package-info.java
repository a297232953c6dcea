/** Where requests come from: threads that read the device, or serve the kernel's rings. */
@NullMarked
package org.beefs.honeybee.fuse.reader;

import org.jspecify.annotations.NullMarked;
