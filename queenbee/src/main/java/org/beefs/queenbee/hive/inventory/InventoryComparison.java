package org.beefs.queenbee.hive.inventory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.beefs.common.replica.ReplicaDigest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * Compares what a honeycomb has told of the replicas in ranges of inode numbers with what there should be. A range is
 * the same only if nothing would be done about any of its replicas, were they listed. Belongs to the namespace thread.
 */
public final class InventoryComparison {
    private final DesktopConnection connection;
    private final Inventory told;
    private final int honeycomb;

    /** The highest inode numbers of the ranges, ascending when their signs are flipped. */
    private final long[] ends;

    private final List<ReplicaDigest> expected;

    /** Inodes of the replicas that must be there, by range; the last ones are above all ranges. */
    private final List<LongStream.Builder> inodes;

    InventoryComparison(DesktopConnection connection, Inventory told, int honeycomb) {
        this.connection = connection;
        this.told = told;
        this.honeycomb = honeycomb;
        this.ends = told.getRangesList().stream()
                .mapToLong(range -> flipped(range.getLastInode()))
                .toArray();
        this.expected =
                told.getRangesList().stream().map(_ -> new ReplicaDigest()).toList();
        this.inodes = LongStream.rangeClosed(0, ends.length)
                .mapToObj(_ -> LongStream.builder())
                .toList();
    }

    /** How many replicas it was told of. */
    long replicas() {
        return told.getRangesList().stream()
                .mapToLong(InventoryRange::getReplicas)
                .sum();
    }

    boolean isToldBy(DesktopConnection by) {
        return connection.equals(by);
    }

    /** Whether this compares just that inventory, told on that connection. */
    boolean isOf(DesktopConnection by, Inventory inventory) {
        return isToldBy(by) && told.equals(inventory);
    }

    /**
     * A file whose primary is in the honeycomb. Without a version while its content may have changed since the last
     * seal.
     */
    void expectPrimary(Inode file) {
        expect(file, file.dirty() || file.unsealed() ? 0 : file.version(), false, file.version() != 0);
    }

    /** A file of which a secondary is in the honeycomb. */
    void expectSecondary(Inode file) {
        expect(file, file.versionIn(honeycomb), true, file.versionIn(honeycomb) != 0);
    }

    /**
     * What is above the last range was made since it was told, or is missing.
     *
     * @param must whether there must be one, and not only may be
     */
    private void expect(Inode file, long version, boolean secondary, boolean must) {
        int found = Arrays.binarySearch(ends, flipped(file.number()));
        int range = found >= 0 ? found : -found - 1;
        if (must) {
            inodes.get(range).accept(file.number());
        }
        if (range < ends.length) {
            expected.get(range).add(file.number(), file.generation(), file.epoch(), version, secondary);
        }
    }

    /** Indices of the ranges whose replicas have to be looked at one by one. */
    public List<Integer> differing() {
        List<Integer> differing = new ArrayList<>();
        for (int i = 0; i < ends.length; i++) {
            if (!expected.get(i).matches(told.getRanges(i))) {
                differing.add(i);
            }
        }
        return differing;
    }

    /** What the honeycomb should list now, and what is above all that it has told of. Asked once, at the end. */
    public UnlistedReplicas unlisted() {
        return new UnlistedReplicas(LongStream.concat(
                inodes.getLast().build(),
                differing().stream().map(inodes::get).flatMapToLong(LongStream.Builder::build)));
    }

    /** Replicas of which nothing has to be told, because they are as they should be. */
    public long agreed() {
        long differing = differing().stream()
                .mapToLong(i -> told.getRanges(i).getReplicas())
                .sum();
        return replicas() - differing;
    }

    /** Flips the sign, so that unsigned numbers are in the order of signed ones. */
    private static long flipped(long unsigned) {
        return unsigned ^ Long.MIN_VALUE;
    }
}
