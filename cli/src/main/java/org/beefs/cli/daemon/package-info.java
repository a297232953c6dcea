/** The wiring of the queen-bee and of the desktop daemon, from configuration to a stop on a signal. */
@NullMarked
package org.beefs.cli.daemon;

import org.jspecify.annotations.NullMarked;
