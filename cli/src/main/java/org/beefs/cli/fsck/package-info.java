/**
 * Checking a hive while it works: the command fsck. It asks the queen-bee and the honeycombs part by part, on
 * connections of its own, and tells what was found. Its exit codes are those of fsck(8).
 */
@NullMarked
package org.beefs.cli.fsck;

import org.jspecify.annotations.NullMarked;
