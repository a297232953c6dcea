package org.beefs.queenbee.measurement;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.replica.ReplicaDigest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a honeycomb's inventory costs when nothing has changed: bytes of the messages, and processor time of the
 * namespace thread. All replicas one by one, as they are told when everything differs, and digests. The figures are
 * printed.
 *
 * <p>{@code -Dtest=InventoryMeasurement -Dbeefs.inodes=1000000}
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class InventoryMeasurement {
    private static final int ROUNDS = 4;
    private static final int REPLICAS_IN_PAGE = 10_000;
    private static final int REPLICAS_IN_RANGE = 4096;

    @TempDir
    private Path temporary;

    @Test
    void shouldTellWhatAnInventoryCosts() throws IOException {
        try (RocksStateStore store = RocksStateStore.open(temporary.resolve("state"))) {
            TestHive hive = new TestHive(store);
            List<TestDesktop> desktops = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                desktops.add(new TestDesktop(hive, "desk" + i).registered());
            }
            LargeHive.fill(hive.queenBee().state(), Integer.getInteger("beefs.inodes"));
            hive.run();
            List<ReplicaName> replicas = hive.queenBee().state().namespace().snapshot().stream()
                    .filter(Inode::isRegular)
                    .map(InventoryMeasurement::primary)
                    .sorted((a, b) -> Long.compareUnsigned(a.getInode(), b.getInode()))
                    .toList();
            for (int round = 0; round < ROUNDS; round++) {
                tell("one by one", desktops.getFirst(), pages(replicas));
                tell("digests", desktops.getFirst(), List.of(digests(replicas)));
            }
            hive.queenBee().close();
        }
    }

    private static void tell(String how, TestDesktop desktop, List<Inventory> messages) {
        long bytes = 0;
        long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (Inventory message : messages) {
            desktop.ok(QueenRequest.newBuilder().setInventory(message));
            bytes += message.getSerializedSize();
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
        System.out.printf(
                "%s: %d messages of %d KB, %d ms of the namespace thread%n",
                how, messages.size(), bytes >> 10, nanos / 1_000_000);
    }

    private static List<Inventory> pages(List<ReplicaName> replicas) {
        List<Inventory> pages = new ArrayList<>();
        for (int first = 0; first < replicas.size(); first += REPLICAS_IN_PAGE) {
            int end = Math.min(replicas.size(), first + REPLICAS_IN_PAGE);
            pages.add(Inventory.newBuilder()
                    .addAllReplicas(replicas.subList(first, end))
                    .build());
        }
        return pages;
    }

    private static Inventory digests(List<ReplicaName> replicas) {
        Inventory.Builder told = Inventory.newBuilder();
        for (int first = 0; first < replicas.size(); first += REPLICAS_IN_RANGE) {
            List<ReplicaName> some = replicas.subList(first, Math.min(replicas.size(), first + REPLICAS_IN_RANGE));
            ReplicaDigest digest = new ReplicaDigest();
            some.forEach(digest::add);
            InventoryRange.Builder range =
                    InventoryRange.newBuilder().setLastInode(some.getLast().getInode());
            digest.tell(range);
            told.addRanges(range);
        }
        return told.build();
    }

    private static ReplicaName primary(Inode file) {
        return ReplicaName.newBuilder()
                .setInode(file.number())
                .setEpoch(file.epoch())
                .setVersion(file.version())
                .build();
    }
}
