package org.beefs.honeybee.data;

import com.google.protobuf.ByteString;
import org.beefs.common.replica.LocalReplicaAccess;

/**
 * The honeycomb in this process.
 *
 * @param honeycomb its UUID, 16 bytes
 * @param replicas its content, without a network in between
 */
public record LocalReplicas(ByteString honeycomb, LocalReplicaAccess replicas) {}
