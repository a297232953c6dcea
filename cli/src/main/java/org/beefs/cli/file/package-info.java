/**
 * What the hive says of a file in a mount, and is told about it, through extended attributes: the commands set, get and
 * info. So users may do it in any mount, and no daemon is asked.
 */
@NullMarked
package org.beefs.cli.file;

import org.jspecify.annotations.NullMarked;
