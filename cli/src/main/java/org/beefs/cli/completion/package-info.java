/**
 * What shells have to know of commands and options, and manual pages, from picocli's model of them: the commands
 * completion and man.
 */
@NullMarked
package org.beefs.cli.completion;

import org.jspecify.annotations.NullMarked;
