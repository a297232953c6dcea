/**
 * Locks of fcntl(2) and flock(2) that programs of a mount have: {@link MountLocks} asks the queen-bee, who has them,
 * and {@code LockHolders} knows who may hold some, so that closing a file asks nobody when there are none.
 *
 * <p>Thread-safe. A lock that a program was told of is one that the queen-bee has, and what nobody was told of is given
 * up. Waiting for a lock has no bound but a signal.
 */
@NullMarked
package org.beefs.honeybee.filesystem.lock;

import org.jspecify.annotations.NullMarked;
