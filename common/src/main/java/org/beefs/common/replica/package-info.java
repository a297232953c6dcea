/**
 * What honeybee and honeycomb of a process are to each other, without knowing each other. Access to the content of
 * replicas, in the same words whether the honeycomb is in this process or far away ({@link ReplicaAccess}), and what
 * the session with the queen-bee tells and asks of the one that is here ({@link LocalHoneycomb}).
 */
@NullMarked
package org.beefs.common.replica;

import org.jspecify.annotations.NullMarked;
