/** The life of a regular file's content: clean, dirty, committed, unlinked but open, gone. */
@NullMarked
package org.beefs.queenbee.content;

import org.jspecify.annotations.NullMarked;
