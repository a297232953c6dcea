/** What a hive keeps below its state folder: a sub-folder per process, with configuration, log, pid and data. */
@NullMarked
package org.beefs.cli.state;

import org.jspecify.annotations.NullMarked;
