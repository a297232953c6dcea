package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.common.wire.ReplicaName;
import org.junit.jupiter.api.Test;

class InventoryRangesTest {
    private final InventoryRanges ranges = new InventoryRanges(3);

    @Test
    void shouldTellNothingOfNothing() {
        assertThat(ranges.end()).isEqualTo(Inventory.getDefaultInstance());
    }

    @Test
    void shouldCutAfterSoManyReplicas() {
        take(ranges, 1, 7);

        assertThat(ranges.end().getRangesList())
                .extracting(InventoryRange::getLastInode, InventoryRange::getReplicas)
                .containsExactly(tuple(3L, 3L), tuple(6L, 3L), tuple(7L, 1L));
    }

    @Test
    void shouldNotCutBetweenReplicasOfOneFile() {
        take(ranges, 1, 3);
        ranges.add(ReplicaName.newBuilder().setInode(3).setGeneration(1).build());
        take(ranges, 4, 4);

        assertThat(ranges.end().getRangesList())
                .extracting(InventoryRange::getLastInode, InventoryRange::getReplicas)
                .containsExactly(tuple(3L, 4L), tuple(4L, 1L));
    }

    @Test
    void shouldPutAllThatIsLeftIntoTheLastRange() {
        InventoryRanges small = new InventoryRanges(1);
        take(small, 1, ProtocolBounds.INVENTORY_RANGES + 9);

        List<InventoryRange> told = small.end().getRangesList();

        assertThat(told).hasSize(ProtocolBounds.INVENTORY_RANGES);
        assertThat(told.getLast().getLastInode()).isEqualTo(ProtocolBounds.INVENTORY_RANGES + 9);
        assertThat(told.getLast().getReplicas()).isEqualTo(10);
    }

    @Test
    void shouldListRangesTogetherThatFollowOneAnother() {
        take(ranges, 1, 15);
        ranges.end();

        assertThat(ranges.spans(List.of(0, 2, 3)))
                .containsExactly(new InventoryRanges.Span(null, 3), new InventoryRanges.Span(replica(6), 12));
    }

    @Test
    void shouldOrderInodesAsUnsignedNumbers() {
        InventoryRanges.Span span = new InventoryRanges.Span(null, Long.MIN_VALUE);
        assertThat(span.contains(replica(Long.MAX_VALUE))).isTrue();
        assertThat(span.contains(replica(Long.MIN_VALUE + 1))).isFalse();
    }

    private static void take(InventoryRanges ranges, long first, long last) {
        for (long inode = first; inode <= last; inode++) {
            ranges.add(replica(inode));
        }
    }

    private static ReplicaName replica(long inode) {
        return ReplicaName.newBuilder().setInode(inode).build();
    }
}
