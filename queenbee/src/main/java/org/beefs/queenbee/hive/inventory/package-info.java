/**
 * What a honeycomb tells of the replicas that it has: how far it has told it, the comparison with the namespace, and
 * what that has brought to light. What is done about a replica is decided by others. Belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.hive.inventory;

import org.jspecify.annotations.NullMarked;
