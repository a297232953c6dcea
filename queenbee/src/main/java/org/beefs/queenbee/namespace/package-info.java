/**
 * Inodes, directories and permissions in memory. Once a hive has been made, or loaded, they are changed by mutations
 * only; the highest number is also raised when numbers are reserved.
 */
@NullMarked
package org.beefs.queenbee.namespace;

import org.jspecify.annotations.NullMarked;
