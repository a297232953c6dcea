/** Rebuilding a hive whose queen-bee has lost her disk, from the records in the honeycombs' catalogs. */
@NullMarked
package org.beefs.queenbee.recovery;

import org.jspecify.annotations.NullMarked;
