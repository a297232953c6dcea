/**
 * What the running queen-bee of a state folder is asked, and told to do, as by an administrator at the console: a class
 * for each command, and what it shows. All asks go through {@link org.beefs.cli.queen.RunningQueenBee}; picocli finds
 * the commands by {@code Commands}, and {@code up} and {@code recover} ask her too. Not thread-safe.
 */
@NullMarked
package org.beefs.cli.queen;

import org.jspecify.annotations.NullMarked;
