/**
 * What commands there are, and those that start, stop, tell of, and speak with the daemons of this machine. Commands of
 * other things are in the rooms of these things. A command is run once, on the main thread, and nobody calls it but
 * picocli.
 */
@NullMarked
package org.beefs.cli.command;

import org.jspecify.annotations.NullMarked;
