package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;

class AttributeMergerTest {
    private static final Attributes KNOWN = Attributes.newBuilder()
            .setInode(5)
            .setMode(0100640)
            .setSize(10)
            .setBlocks(8)
            .setAtime(at(1))
            .setMtime(at(20))
            .setCtime(at(50))
            .build();
    private static final Node DIRTY = Node.newBuilder()
            .setAttributes(KNOWN)
            .setLayout(Layout.newBuilder().setDirty(true).setCommittedSize(10).setCommittedMtime(at(30)))
            .build();
    private static final ReplicaStatus WRITTEN = ReplicaStatus.newBuilder()
            .setExists(true)
            .setSize(4096)
            .setBlocks(16)
            .setAtime(at(99))
            .setMtime(at(60))
            .setCtime(at(61))
            .build();

    @Test
    void shouldTakeSizeBlocksAndMtimeOfAWrittenReplica() {
        assertThat(AttributeMerger.merge(DIRTY, WRITTEN))
                .isEqualTo(KNOWN.toBuilder()
                        .setSize(4096)
                        .setBlocks(16)
                        .setMtime(at(60))
                        .setCtime(at(61))
                        .build());
    }

    /** As the queen-bee does when she commits what was written. */
    @Test
    void shouldMoveCtimeOnThoughTheReplicasIsEarlier() {
        ReplicaStatus before = WRITTEN.toBuilder().setCtime(at(40)).build();

        assertThat(AttributeMerger.merge(DIRTY, before).getCtime())
                .isEqualTo(at(50).toBuilder().setNanos(1).build());
    }

    @Test
    void shouldCompareTimesBelowASecond() {
        Timestamp later = at(50).toBuilder().setNanos(2).build();

        assertThat(AttributeMerger.merge(
                                DIRTY, WRITTEN.toBuilder().setCtime(later).build())
                        .getCtime())
                .isEqualTo(later);
    }

    @Test
    void shouldKeepTheQueensAttributesOfAnAbsentReplica() {
        assertThat(AttributeMerger.merge(DIRTY, ReplicaStatus.getDefaultInstance()))
                .isEqualTo(KNOWN);
    }

    @Test
    void shouldKeepTheQueensAttributesWhileTheReplicaIsAsItWasMade() {
        Node empty = DIRTY.toBuilder()
                .setAttributes(KNOWN.toBuilder().setSize(0))
                .setLayout(Layout.newBuilder().setDirty(true))
                .build();
        ReplicaStatus untouched =
                WRITTEN.toBuilder().setSize(0).setUntouched(true).build();

        assertThat(AttributeMerger.merge(empty, untouched)).isEqualTo(empty.getAttributes());
    }

    @Test
    void shouldKeepTheQueensAttributesWhileTheReplicaIsAsItWasCommitted() {
        ReplicaStatus committed =
                WRITTEN.toBuilder().setSize(10).setMtime(at(30)).build();

        assertThat(AttributeMerger.merge(DIRTY, committed)).isEqualTo(KNOWN);
    }

    @Test
    void shouldSeeAWriteThatKeepsTheSize() {
        ReplicaStatus overwritten = WRITTEN.toBuilder().setSize(10).build();

        assertThat(AttributeMerger.merge(DIRTY, overwritten).getMtime()).isEqualTo(at(60));
    }

    @Test
    void shouldSeeAChangeOfSizeThatKeepsTheMtime() {
        ReplicaStatus cut = WRITTEN.toBuilder().setSize(3).setMtime(at(30)).build();

        assertThat(AttributeMerger.merge(DIRTY, cut).getSize()).isEqualTo(3);
    }

    @Test
    void shouldIgnoreTheReplicaOfACleanFile() {
        Node clean = DIRTY.toBuilder()
                .setLayout(DIRTY.getLayout().toBuilder().setDirty(false))
                .build();

        assertThat(AttributeMerger.merge(clean, WRITTEN)).isEqualTo(KNOWN);
    }

    private static Timestamp at(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).build();
    }
}
