/** Starting, recognising and stopping daemons. */
@NullMarked
package org.beefs.cli.process;

import org.jspecify.annotations.NullMarked;
