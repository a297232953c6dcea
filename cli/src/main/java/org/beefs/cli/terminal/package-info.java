/**
 * Text as people see it on a terminal: columns, progress, and what may not be shown as it is. It knows nothing of
 * hives, and everything that writes for people may use it. Not thread-safe, but for the progress bar.
 */
@NullMarked
package org.beefs.cli.terminal;

import org.jspecify.annotations.NullMarked;
