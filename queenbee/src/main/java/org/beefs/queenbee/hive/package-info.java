/**
 * The honeycombs: who they are, where new files go, and what they have yet to be told.
 * {@link org.beefs.queenbee.hive.Honeycombs} is the registry, and the only one who writes down what becomes of a
 * {@link org.beefs.queenbee.hive.Honeycomb}; {@link org.beefs.queenbee.hive.Absences} says who is lost, and
 * {@link org.beefs.queenbee.hive.Absence} has the table of what that means. What is to be told waits in the
 * {@link org.beefs.queenbee.hive.ErrandQueue} of each, which everybody fills by way of
 * {@link org.beefs.queenbee.hive.ErrandQueues}, and {@link org.beefs.queenbee.hive.ErrandRequests} makes requests of
 * it, of each kind one at a time. A removal is told only when it is on the queen-bee's disk. All who know of replicas
 * use this package, which knows only the namespace, sessions and the journal (for inventories, the occasions of lease
 * too). All belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.hive;

import org.jspecify.annotations.NullMarked;
