/**
 * Locks on files, as fcntl(2) and flock(2) know them: who holds which bytes, who waits, and who would wait for ever.
 */
@NullMarked
package org.beefs.queenbee.lock;

import org.jspecify.annotations.NullMarked;
