/**
 * Secondary replicas: which files lack some, and having them made. {@link org.beefs.queenbee.replication.Replication}
 * is told what becomes of honeycombs, {@link org.beefs.queenbee.replication.Upkeep} what becomes of files, and
 * {@link org.beefs.queenbee.replication.Passes} say each time what is to be sent. Below them, each knowing only those
 * after it: {@link org.beefs.queenbee.replication.departure}, {@link org.beefs.queenbee.replication.primary},
 * {@link org.beefs.queenbee.replication.fetch} and {@link org.beefs.queenbee.replication.placement}. Others use only
 * what Replication hands out. All belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.replication;

import org.jspecify.annotations.NullMarked;
