package org.beefs.honeybee.queen;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.replica.ReplicaDigest;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;

/**
 * Digests of a honeycomb's replicas, of so many that follow one another at a time. Which those are depends on the
 * replicas only, so that files which are made together are in one range. For one thread at a time.
 */
final class InventoryRanges {
    /**
     * Replicas to be listed.
     *
     * @param after what comes before them; null at the beginning
     * @param last the highest inode number
     */
    record Span(@Nullable ReplicaName after, long last) {
        boolean contains(ReplicaName replica) {
            return Long.compareUnsigned(replica.getInode(), last) <= 0;
        }
    }

    private final int size;
    private final List<InventoryRange> ranges = new ArrayList<>();

    /** The last replica of each range. */
    private final List<ReplicaName> ends = new ArrayList<>();

    private ReplicaDigest digest = new ReplicaDigest();
    private @Nullable ReplicaName last;

    /** @param size of a range, but for further replicas of its last inode */
    InventoryRanges(int size) {
        this.size = size;
    }

    /** Takes up the next replica. */
    void add(ReplicaName replica) {
        if (last != null && isFull() && last.getInode() != replica.getInode()) {
            endRange(last);
        }
        digest.add(replica);
        last = replica;
    }

    private boolean isFull() {
        return digest.count() >= size && ranges.size() < ProtocolBounds.INVENTORY_RANGES - 1;
    }

    private void endRange(ReplicaName end) {
        InventoryRange.Builder range = InventoryRange.newBuilder().setLastInode(end.getInode());
        digest.tell(range);
        ranges.add(range.build());
        ends.add(end);
        digest = new ReplicaDigest();
    }

    /** All that there is has been taken up. */
    Inventory end() {
        if (last != null) {
            endRange(last);
        }
        return Inventory.newBuilder().addAllRanges(ranges).build();
    }

    /** What has to be listed of these ranges; those that follow one another together. */
    List<Span> spans(List<Integer> indices) {
        List<Span> spans = new ArrayList<>();
        int next = -1;
        for (int index : indices) {
            @Nullable ReplicaName after = index == 0 ? null : ends.get(index - 1);
            if (index == next) {
                after = spans.removeLast().after();
            }
            spans.add(new Span(after, ends.get(index).getInode()));
            next = index + 1;
        }
        return spans;
    }
}
