/** The file {@code .beefs/stats} of a mount, by which it tells its users how it does. */
@NullMarked
package org.beefs.honeybee.stats;

import org.jspecify.annotations.NullMarked;
