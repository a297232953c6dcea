/** POSIX vocabulary that every role shares: errno, file modes, times. */
@NullMarked
package org.beefs.common.posix;

import org.jspecify.annotations.NullMarked;
