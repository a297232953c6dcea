/**
 * The daemons' configuration files: what is in them, and how those of a new hive are written; and whether what they
 * tell of is lost. Files are replaced atomically, and ports chosen once. For daemons, which read them, and commands,
 * which hold the hive's lock when they write. No threads.
 */
@NullMarked
package org.beefs.cli.configuration;

import org.jspecify.annotations.NullMarked;
