package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.DrainReport;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.MakeRoom;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;

/** A hive of three desktops, and what happens to replicas that are to leave one of them. */
abstract class LeavingReplicasTest {
    static final long ROOT = Namespace.ROOT;
    static final long MIB = 1L << 20;
    static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** For what is due to be copied, sealed, moved and removed. */
    static final Duration A_WHILE =
            CONFIG.timeToCoherence().plus(CONFIG.sealDelay().multipliedBy(4));

    final TestHive hive;
    final List<TestDesktop> awake = new ArrayList<>();
    final TestDesktop writer;
    final TestDesktop second;
    final TestDesktop third;

    LeavingReplicasTest() {
        this(CONFIG);
    }

    LeavingReplicasTest(QueenBeeConfig config) {
        hive = new TestHive(new MemoryStateStore(), config);
        writer = come("writer");
        second = come("second");
        third = come("third");
    }

    final TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
    }

    /** Of a mebibyte each, made one after the other. */
    List<Long> createCopied(int files) {
        List<Long> inodes = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            inodes.add(create(writer, "f" + i));
            hive.advance(Duration.ofMillis(10));
        }
        hive.advance(awake, A_WHILE);
        return inodes;
    }

    /** The newest version of a file, as an inventory names it. */
    ReplicaName secondary(long inode) {
        return ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(hive.inode(inode).epoch())
                .setVersion(hive.inode(inode).version())
                .setSecondary(true)
                .build();
    }

    static long create(TestDesktop desktop, String name) {
        return desktop.createWritten(name, inode -> written(inode, 1));
    }

    /** The time also numbers the observation. */
    static ReplicaStatus written(long inode, long time) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setObservation(time)
                .setSize(MIB)
                .setBlocks(MIB / 512)
                .setMtime(Timestamp.newBuilder().setSeconds(time))
                .build();
    }

    /** Open for writing at the writer's. */
    final long createOpen() {
        return writer.ok(Ask.create(ROOT, "open", 0644, 1000 + writer.newHandle()))
                .getNode()
                .getAttributes()
                .getInode();
    }

    /** The writer has found his honeycomb full. */
    final CompletableFuture<QueenReply> makeRoom(long inode, long bytes) {
        return writer.submit(QueenRequest.newBuilder()
                .setSession(writer.session())
                .setMakeRoom(MakeRoom.newBuilder()
                        .setInode(inode)
                        .setNumber(writer.newHandle())
                        .setBytes(bytes))
                .build());
    }

    HiveReport status() {
        return writer.ok(Ask.status()).getHiveReport();
    }

    DesktopReport report(String desktop) {
        return status().getDesktopsList().stream()
                .filter(report -> report.getDesktop().equals(desktop))
                .findFirst()
                .orElseThrow();
    }

    DrainReport drain(String desktop) {
        assertThat(report(desktop).hasDrain()).isTrue();
        return report(desktop).getDrain();
    }

    Honeycomb honeycomb(String desktop) {
        return hive.queenBee().state().honeycombs().lastOn(desktop);
    }

    /** The primary's first. */
    List<String> desktopsOf(long inode) {
        return hive.desktopsOf(inode);
    }
}
