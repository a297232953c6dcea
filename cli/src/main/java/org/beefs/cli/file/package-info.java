/** What the hive says of a file in a mount, and is told about it: through extended attributes. */
@NullMarked
package org.beefs.cli.file;

import org.jspecify.annotations.NullMarked;
