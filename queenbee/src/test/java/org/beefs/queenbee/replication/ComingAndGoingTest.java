package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;

/** What tests of absent desktops share: three with honeycombs, of which one writes and the others have copies. */
abstract class ComingAndGoingTest {
    static final long ROOT = Namespace.ROOT;
    static final QueenBeeConfig CONFIG = TestConfig.usual();
    static final Duration COHERENCE =
            CONFIG.timeToCoherence().plus(CONFIG.heartbeat().multipliedBy(2));
    static final Duration LEASE = CONFIG.lease().plus(CONFIG.heartbeat().multipliedBy(2));

    final TestHive hive = new TestHive();
    final List<TestDesktop> awake = new ArrayList<>();
    final TestDesktop writer = come(new TestDesktop(hive, "writer"));
    final TestDesktop second = come(new TestDesktop(hive, "second"));
    final TestDesktop third = come(new TestDesktop(hive, "third"));

    /** While those that are awake say so. */
    void advance(Duration duration) {
        Duration step = duration.compareTo(Duration.ofHours(1)) > 0 ? Duration.ofSeconds(20) : CONFIG.heartbeat();
        for (Duration left = duration; left.isPositive(); left = left.minus(step)) {
            awake.forEach(desktop -> desktop.ok(QueenRequest.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder().setSpace(desktop.space()))));
            hive.advance(step);
        }
    }

    TestDesktop come(TestDesktop desktop) {
        awake.add(desktop.registered());
        return desktop;
    }

    void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
    }

    /** It is away, declared lost, and certainly writes nothing any more. */
    void loseTheWriter() {
        go(writer);
        declareLost("writer");
        advance(LEASE);
    }

    void declareLost(String desktop) {
        assertThat(lost(desktop).hasFailure()).isFalse();
    }

    QueenReply lost(String desktop) {
        TestDesktop tool = awake.getLast();
        return tool.send(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop))
                .build());
    }

    static List<Long> fetched(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .map(fetch -> fetch.getReplica().getInode())
                .toList();
    }

    Presence presence(TestDesktop desktop) {
        return honeycombs()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop.name()))
                .findFirst()
                .orElseThrow()
                .presence();
    }

    Stream<Honeycomb> honeycombs() {
        return hive.queenBee().state().honeycombs().all().stream();
    }

    Honeycomb honeycombOf(long inode) {
        return hive.queenBee().state().honeycombs().of(hive.inode(inode));
    }

    List<String> desktopsOf(long inode) {
        return hive.desktopsOf(inode);
    }

    long createCopied(String name) {
        long inode = writer.createWritten(name, made -> written(made, 1));
        advance(COHERENCE);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        return inode;
    }

    static long open(TestDesktop desktop, long inode) {
        return desktop.openToWrite(inode);
    }

    /** The time also numbers the observation. */
    static ReplicaStatus written(long inode, long time) {
        return Ask.written(inode, 100, time);
    }
}
