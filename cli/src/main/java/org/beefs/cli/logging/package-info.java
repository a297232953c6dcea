/**
 * What daemons log: where to, and in which form. Tools log warnings to stderr (logback.xml), and only daemons call
 * this. Lines come from any thread.
 */
@NullMarked
package org.beefs.cli.logging;

import org.jspecify.annotations.NullMarked;
