package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.beefs.common.log.LogLines;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an inventory says of files whose last change the queen-bee has lost. */
class UnexpectedReplicasTest {
    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private long file;

    @BeforeEach
    void makeSealedFile() {
        file = desktop.ok(Ask.create(Namespace.ROOT, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        desktop.ok(Ask.release(file, 1, written(10, 1)));
        hive.advance(Duration.ofSeconds(10));
        assertThat(inode().unsealed()).isFalse();
    }

    private ReplicaStatus written(long size, long observation) {
        return desktop.replica(
                file,
                ReplicaStatus.newBuilder()
                        .setSize(size)
                        .setMtime(Timestamp.newBuilder().setSeconds(size))
                        .setObservation(observation));
    }

    private Inode inode() {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(file));
    }

    private void tellInventory(long version) {
        desktop.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(ReplicaName.newBuilder()
                                .setInode(file)
                                .setEpoch(inode().epoch())
                                .setVersion(version))));
    }

    @Test
    void shouldLearnWhatAFileIsLikeThatWasWrittenUnnoticed() {
        long version = inode().version();
        written(20, 2);
        tellInventory(0);
        assertThat(inode().size()).isEqualTo(20);
        assertThat(inode().version()).isGreaterThan(version);
        assertThat(inode().dirty()).isFalse();
    }

    @Test
    void shouldSayAtTheEndOfAnInventoryWhatItHasShown() {
        try (LogLines lines = new LogLines("org.beefs.queenbee")) {
            written(20, 2);
            tellInventory(0);
            desktop.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
            assertThat(lines.all())
                    .contains(
                            "desk holds 1 replicas, 0 of them in ranges that are as they should be: 0 are removed, 1 were changed unnoticed and heal their files, 0 become conflict copies, 0 are unknown and kept");
        }
    }

    @Test
    void shouldKeepTheVersionOfAFileThatIsAsItWas() {
        long version = inode().version();
        tellInventory(0);
        hive.advance(Duration.ofSeconds(10));
        assertThat(inode().version()).isEqualTo(version);
        assertThat(inode().dirty()).isFalse();
        assertThat(inode().unsealed()).isFalse();
    }

    /**
     * Its content is another, though neither size nor time show that, and only a later version can be written on it.
     */
    @Test
    void shouldMakeANextVersionOfALaterOneThatIsLost() {
        long lost = inode().version() + 1;
        desktop.replica(file, written(10, 2).toBuilder().setVersion(lost));
        hive.restart();
        desktop.registered();

        tellInventory(lost);
        hive.advance(Duration.ofSeconds(10));

        assertThat(inode().version()).isGreaterThan(lost);
        assertThat(inode().dirty()).isFalse();
        assertThat(seals()).last().extracting(Seal::getVersion).isEqualTo(inode().version());
    }

    private List<Seal> seals() {
        return desktop.received().stream()
                .flatMap(request -> request.getSeal().getSealsList().stream())
                .toList();
    }

    @Test
    void shouldNotAskWhenTheReplicaHasTheVersion() {
        tellInventory(inode().version());
        assertThat(desktop.received()).noneMatch(DesktopRequest::hasExamine);
    }
}
