/** Checking a hive while it works: asks the queen-bee and the honeycombs part by part, and tells what was found. */
@NullMarked
package org.beefs.cli.fsck;

import org.jspecify.annotations.NullMarked;
