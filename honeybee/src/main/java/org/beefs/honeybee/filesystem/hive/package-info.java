/** The hive as a file system, one for each mount. Only who wires a mount knows this package, by its entrance. */
@NullMarked
package org.beefs.honeybee.filesystem.hive;

import org.jspecify.annotations.NullMarked;
