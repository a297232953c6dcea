package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What a catalog has yet to forget of a file that is elsewhere, when the queen-bee's disk is lost. */
class ForgottenRecordsTest {
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final TestHive hive = new TestHive();
    private final MemoryStateStore fresh = new MemoryStateStore();

    @Test
    void shouldHaveADesktopForgetARecordThatItStillHadOfAFileWithoutAReplicaThere() throws IOException {
        TestDesktop writer = come("writer");
        TestDesktop away = come("away");
        long file = copiedWithAReplicaTooMany(writer, away);
        recover(writer, away);
        TestHive recovered = new TestHive(fresh);
        TestDesktop again = new TestDesktop(recovered, "writer", 2, 2).registered();
        recovered.advance(List.of(again), SETTLING);

        again.ok(Ask.unlink(Namespace.ROOT, "f"));
        recovered.advance(SETTLING);

        assertThat(recovered.queenBee().state().namespace().find(file)).isNull();
        assertThat(recovered.queenBee().state().records().isRemembered(file)).isTrue();
    }

    @Test
    void shouldHaveADesktopThatItWentWithoutForgetTheRecordOfAReplicaTooMany() throws IOException {
        TestDesktop writer = come("writer");
        TestDesktop away = come("away");
        long file = copiedWithAReplicaTooMany(writer, away);
        recover(writer);
        TestHive recovered = new TestHive(fresh);
        TestDesktop again = new TestDesktop(recovered, "writer", 2, 2).registered();

        TestDesktop back = new TestDesktop(recovered, "away", 2, 2);
        back.records().putAll(away.records());
        back.register(back.register());
        Inode known = recovered.inode(file);
        ReplicaName replica = known.replicaName()
                .setVersion(known.version())
                .setSecondary(true)
                .build();
        back.ok(QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(replica)));
        back.inventoried();
        recovered.advance(List.of(again, back), SETTLING);

        assertThat(back.records()).doesNotContainKey(file);
    }

    /** One of its replicas is on a desktop that is away, has left the file's record, and is to be removed. */
    private long copiedWithAReplicaTooMany(TestDesktop writer, TestDesktop away) {
        long file = writer.ok(Ask.create(Namespace.ROOT, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(file, 1, Ask.written(file, 10)));
        hive.advance(List.of(writer, away), Duration.ofMinutes(5));
        assertThat(hive.inode(file).secondaries().has(hive.number("away"))).isTrue();
        assertThat(away.records()).containsKey(file);
        away.disconnect();
        writer.ok(Ask.setXattr(file, ReplicationXattr.REPLICAS, "1"));
        hive.advance(List.of(writer), SETTLING);
        assertThat(hive.inode(file).secondaries().isEmpty()).isTrue();
        return file;
    }

    private TestDesktop come(String name) {
        return new TestDesktop(hive, name).registered();
    }

    private void recover(TestDesktop... asked) throws IOException {
        HiveRecovery.run(
                fresh, new ManualTime(), Stream.of(asked).map(ListedRecords::of).toList(), 0);
    }
}
