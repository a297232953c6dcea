/** The command line, and the wiring of every role. */
@NullMarked
package org.beefs.cli;

import org.jspecify.annotations.NullMarked;
