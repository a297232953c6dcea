/**
 * Secondary replicas: which files lack some, and having them made. {@link org.beefs.queenbee.replication.Replication}
 * is told what becomes of files and honeycombs, and says in each pass what is to be sent; it stands on
 * {@link org.beefs.queenbee.replication.departure}, that on {@link org.beefs.queenbee.replication.primary}, and all of
 * them on {@link org.beefs.queenbee.replication.target} and {@link org.beefs.queenbee.replication.fetch}. Others use
 * only what Replication hands out. All belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.replication;

import org.jspecify.annotations.NullMarked;
