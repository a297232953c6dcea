package org.beefs.honeybee.data;

import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaTarget;

/** Makes what a honeycomb is asked for out of what the queen-bee says of a file's content. */
public final class ReplicaTargets {
    private ReplicaTargets() {}

    public static ReplicaTarget of(Layout layout) {
        return ReplicaTarget.newBuilder()
                .setInode(layout.getInode())
                .setGeneration(layout.getGeneration())
                .setEpoch(layout.getEpoch())
                .setVersion(layout.getVersion())
                .setCapability(layout.getCapability())
                .build();
    }

    /** Any replica that has the version of the layout, which nobody is writing. */
    public static ReplicaTarget unchanged(Layout layout) {
        return of(layout).toBuilder().setExactVersion(layout.getVersion()).build();
    }
}
