/** Small files that have to outlive a power loss. */
@NullMarked
package org.beefs.common.file;

import org.jspecify.annotations.NullMarked;
