/** One small class for each command. */
@NullMarked
package org.beefs.cli.command;

import org.jspecify.annotations.NullMarked;
