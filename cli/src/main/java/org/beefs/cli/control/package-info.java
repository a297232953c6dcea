/** The socket in each process folder through which tools of the same user ask a daemon: one JSON line each way. */
@NullMarked
package org.beefs.cli.control;

import org.jspecify.annotations.NullMarked;
