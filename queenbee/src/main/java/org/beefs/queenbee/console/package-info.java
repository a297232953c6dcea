/** The queen-bee's web console, and the REST interface that it and the command line use. See docs/CONSOLE.md. */
@NullMarked
package org.beefs.queenbee.console;

import org.jspecify.annotations.NullMarked;
