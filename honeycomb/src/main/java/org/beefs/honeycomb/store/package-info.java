/**
 * Replicas as files: who may use them, in which order, how much space they take.
 * {@link org.beefs.honeycomb.store.ReplicaFiles} is the disk that the simulator replaces.
 */
@NullMarked
package org.beefs.honeycomb.store;

import org.jspecify.annotations.NullMarked;
