/** Opens and their ends, what safe and full files want, and locks. */
@NullMarked
package org.beefs.queenbee.operations.file;

import org.jspecify.annotations.NullMarked;
