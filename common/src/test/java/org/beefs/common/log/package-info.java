/** Looks at what is logged. */
@NullMarked
package org.beefs.common.log;

import org.jspecify.annotations.NullMarked;
