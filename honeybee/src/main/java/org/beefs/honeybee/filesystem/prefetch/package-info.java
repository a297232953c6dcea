/**
 * What is fetched before a program asks for it, because of what it has listed and read so far: further directories of a
 * walk, further pages of a large directory, small files of other desktops. {@link Prefetcher} is its entrance.
 *
 * <p>Thread-safe, and there are no threads: requests begin on the thread of the call that lets them be expected, and
 * nobody waits for them but who asks for the same. All that is remembered and under way has bounds; nothing is asked
 * for that the queen-bee would have to ask somebody for.
 */
@NullMarked
package org.beefs.honeybee.filesystem.prefetch;

import org.jspecify.annotations.NullMarked;
