/** What programs were told is written and is not sent yet: who holds it back, and for how long it may be sent. */
@NullMarked
package org.beefs.honeybee.heldback;

import org.jspecify.annotations.NullMarked;
