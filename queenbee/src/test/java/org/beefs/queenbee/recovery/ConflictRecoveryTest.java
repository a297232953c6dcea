package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.FileMode;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.ConflictCopy;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** A version that is to become a file of its own when its desktop comes back, when the queen-bee's disk is lost. */
class ConflictRecoveryTest {
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final TestHive hive = new TestHive();
    private final MemoryStateStore fresh = new MemoryStateStore();
    private final TestDesktop writer = new TestDesktop(hive, "writer").registered();
    private final TestDesktop away = new TestDesktop(hive, "away").registered();

    @Test
    void shouldMakeTheConflictCopyAfterwards() throws IOException {
        long file = goneOnWithoutTheDesktopThatIsAway();
        HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(writer), ListedRecords.of(away)), 0);
        TestHive recovered = new TestHive(fresh);
        TestDesktop again = new TestDesktop(recovered, "writer", 2, 2).registered();

        TestDesktop back = new TestDesktop(recovered, "away", 2, 2);
        back.records().putAll(away.records());
        back.replica(file, ReplicaStatus.newBuilder().setSize(77));
        back.register(back.register());
        back.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(ReplicaName.newBuilder().setInode(file))));
        back.inventoried();
        recovered.advance(List.of(again, back), SETTLING);

        assertThat(back.received().stream().filter(request -> request.hasAdopt() || request.hasDrop()))
                .first()
                .matches(DesktopRequest::hasAdopt);
        assertThat(recovered.names(Namespace.ROOT).keySet()).anyMatch(name -> name.startsWith("f.conflict-away-"));
    }

    /** Its catalog has a record of the file still. */
    private long goneOnWithoutTheDesktopThatIsAway() {
        long file = writer.createWritten("f", inode -> Ask.written(inode, 10));
        hive.advance(List.of(writer, away), Duration.ofMinutes(5));
        assertThat(away.records()).containsKey(file);
        away.disconnect();
        writer.ok(Ask.setXattr(file, ReplicationXattr.REPLICAS, "1"));
        hive.advance(List.of(writer), SETTLING);
        QueenState state = hive.queenBee().state();
        Inode inode = hive.inode(file);
        long copy = state.numbering().after(state.namespace().highestOwn());
        state.namespace().raiseHighest(copy);
        state.honeycombs()
                .errandQueues()
                .adopt(
                        state.honeycombs().lastOn("away"),
                        new ConflictCopy(file, 0, inode.epoch(), copy, 1, FileMode.REGULAR | 0644, 0, 0, 0));
        hive.advance(List.of(writer), SETTLING);
        return file;
    }
}
