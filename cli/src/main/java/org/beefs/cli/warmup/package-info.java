/**
 * Bringing files to the desktop where they are wanted: the command warmup. Like the commands of {@code file}, it speaks
 * with the hive through extended attributes only.
 */
@NullMarked
package org.beefs.cli.warmup;

import org.jspecify.annotations.NullMarked;
