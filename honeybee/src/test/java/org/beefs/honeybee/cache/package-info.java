/** What the cache keeps, gives up and tells to kernels. */
@NullMarked
package org.beefs.honeybee.cache;

import org.jspecify.annotations.NullMarked;
