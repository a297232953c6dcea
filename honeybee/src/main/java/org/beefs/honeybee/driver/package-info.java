/** Mounts through one of the drivers. */
@NullMarked
package org.beefs.honeybee.driver;

import org.jspecify.annotations.NullMarked;
