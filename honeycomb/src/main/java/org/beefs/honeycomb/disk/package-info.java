/** Files that say which replica they are, and what a disk can do with them; the simulator replaces it. */
@NullMarked
package org.beefs.honeycomb.disk;

import org.jspecify.annotations.NullMarked;
