/** Tests of what a mount tells its users. */
@NullMarked
package org.beefs.honeybee.stats;

import org.jspecify.annotations.NullMarked;
