/** How fast a honeycomb works in the background, so that the desktop's user does not notice. */
@NullMarked
package org.beefs.honeycomb.pace;

import org.jspecify.annotations.NullMarked;
