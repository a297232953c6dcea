/**
 * The life of a regular file's content: clean, dirty, committed, unlinked but open, gone. {@link Opens} is what
 * requests begin with; a release goes on in {@link LeftFiles}, and from there, when the file's newest state is known,
 * in {@link Commits}. Everything here belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.content;

import org.jspecify.annotations.NullMarked;
