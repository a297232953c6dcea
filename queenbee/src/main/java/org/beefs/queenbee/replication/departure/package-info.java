/**
 * Replicas that leave their honeycombs, and why: it is being emptied, it is short of space, or somebody wants a replica
 * elsewhere; with the extra ones that come because a desktop has read a file. A replica goes only when what takes its
 * place is current. All belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.replication.departure;

import org.jspecify.annotations.NullMarked;
