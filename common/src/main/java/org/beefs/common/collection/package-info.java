/** Collections with a bound. */
@NullMarked
package org.beefs.common.collection;

import org.jspecify.annotations.NullMarked;
