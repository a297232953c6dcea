/** Which driver serves a mount. */
@NullMarked
package org.beefs.honeybee.mount;

import org.jspecify.annotations.NullMarked;
