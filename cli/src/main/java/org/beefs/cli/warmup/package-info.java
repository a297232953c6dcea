/** Bringing files to the desktop where they are wanted. */
@NullMarked
package org.beefs.cli.warmup;

import org.jspecify.annotations.NullMarked;
