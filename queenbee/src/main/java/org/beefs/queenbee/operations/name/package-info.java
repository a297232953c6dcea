/** Names and directories: what is made, found, listed, moved and removed. */
@NullMarked
package org.beefs.queenbee.operations.name;

import org.jspecify.annotations.NullMarked;
