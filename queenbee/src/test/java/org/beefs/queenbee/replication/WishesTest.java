package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What becomes of a file of which somebody wants a replica on his desktop. */
class WishesTest {
    private static final long ROOT = Namespace.ROOT;
    private static final long MIB = 1L << 20;
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** For what is due to be copied, sealed, moved and removed. */
    private static final Duration A_WHILE =
            CONFIG.timeToCoherence().plus(CONFIG.sealDelay().multipliedBy(4));

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop second = come("second");
    private final TestDesktop third = come("third");

    @Test
    void shouldMakeAReplicaThereInThePlaceOfAnother() {
        long inode = createCopied(2);
        TestDesktop holder = holder(inode);
        TestDesktop wishing = other(holder);
        assertThat(here(writer, inode)).isEqualTo("current");
        assertThat(here(holder, inode)).isEqualTo("current");
        assertThat(here(wishing, inode)).isEqualTo("absent");

        wish(wishing, inode);
        advance(A_WHILE);

        assertThat(here(wishing, inode)).isEqualTo("current");
        assertThat(desktopsOf(inode)).containsExactly("writer", name(wishing));
        assertThat(dropped(holder)).containsExactly(inode);
    }

    @Test
    void shouldKeepTheOtherReplicaUntilThatIsCurrent() {
        long inode = createCopied(2);
        TestDesktop holder = holder(inode);
        TestDesktop wishing = other(holder);
        wishing.holdAnswers();

        wish(wishing, inode);
        advance(A_WHILE);

        assertThat(here(wishing, inode)).isEqualTo("coming");
        assertThat(here(holder, inode)).isEqualTo("current");
        assertThat(dropped(holder)).isEmpty();
    }

    @Test
    void shouldMoveAFileThatHasOneReplicaOnly() {
        long inode = createCopied(1);

        wish(third, inode);
        advance(A_WHILE);

        assertThat(desktopsOf(inode)).containsExactly("third");
        assertThat(dropped(writer)).containsExactly(inode);
    }

    @Test
    void shouldLeaveAFileWhereItWasWhenNobodyTellsTheWishAgain() {
        long inode = createCopied(2);
        TestDesktop holder = holder(inode);
        TestDesktop wishing = other(holder);
        wishing.holdAnswers();
        wish(wishing, inode);

        advance(Wishes.LIFETIME.plus(A_WHILE));

        assertThat(desktopsOf(inode)).containsExactly("writer", name(holder));
    }

    @Test
    void shouldGoOnWaitingWhenTheWishIsToldAgain() {
        long inode = createCopied(2);
        TestDesktop wishing = other(holder(inode));
        wishing.holdAnswers();

        for (int i = 0; i < 3; i++) {
            wish(wishing, inode);
            advance(Wishes.LIFETIME.minus(A_WHILE));
        }

        assertThat(here(wishing, inode)).isEqualTo("coming");
    }

    @Test
    void shouldChangeNothingWhereTheReplicaIsAlready() {
        long inode = createCopied(3);
        List<String> before = desktopsOf(inode);

        wish(third, inode);
        advance(A_WHILE);

        assertThat(desktopsOf(inode)).isEqualTo(before);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        long inode = createCopied(1);
        assertThat(third.as(1000, 1000).fails(Ask.setXattr(inode, "beefs.here", "current")))
                .isEqualTo(Errno.EACCES);
        third.as(0, 0);
        assertThat(third.fails(Ask.setXattr(inode, "beefs.here", "absent"))).isEqualTo(Errno.EINVAL);
        third.setSpace(100 * MIB, 95 * MIB);
        advance(CONFIG.heartbeat());
        assertThat(third.fails(Ask.setXattr(inode, "beefs.here", "current"))).isEqualTo(Errno.ENOSPC);
        writer.ok(Ask.open(inode, 7000, false, true));
        assertThat(second.fails(Ask.setXattr(inode, "beefs.here", "current"))).isEqualTo(Errno.ETXTBSY);
    }

    private static void wish(TestDesktop desktop, long inode) {
        desktop.ok(Ask.setXattr(inode, "beefs.here", "current"));
    }

    private static String here(TestDesktop desktop, long inode) {
        return desktop.ok(Ask.getXattr(inode, "beefs.here")).getXattr().toStringUtf8();
    }

    /** Who has the secondary. */
    private TestDesktop holder(long inode) {
        return desktopsOf(inode).contains("second") ? second : third;
    }

    private TestDesktop other(TestDesktop holder) {
        return holder.equals(second) ? third : second;
    }

    private String name(TestDesktop desktop) {
        return desktop.equals(second) ? "second" : "third";
    }

    /** While those that are awake say so. */
    private void advance(Duration duration) {
        for (Duration left = duration; left.isPositive(); left = left.minus(CONFIG.heartbeat())) {
            awake.forEach(desktop -> desktop.ok(QueenRequest.newBuilder().setHeartbeat(desktop.heartbeat())));
            hive.advance(CONFIG.heartbeat());
        }
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    private long createCopied(int replicas) {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", Integer.toString(replicas)));
        long inode = writer.ok(Ask.create(ROOT, "f", 0644, 1000))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(
                inode,
                1000,
                ReplicaStatus.newBuilder()
                        .setInode(inode)
                        .setExists(true)
                        .setObservation(1)
                        .setSize(MIB)
                        .setBlocks(MIB / 512)
                        .setMtime(Timestamp.newBuilder().setSeconds(1))
                        .build()));
        advance(A_WHILE);
        assertThat(desktopsOf(inode)).hasSize(replicas);
        return inode;
    }

    private static List<Long> dropped(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getDrop().getReplicasList().stream())
                .map(ReplicaName::getInode)
                .toList();
    }

    /** The primary's first. */
    private List<String> desktopsOf(long inode) {
        Stream<Honeycomb> secondaries = inode(inode)
                .secondaries()
                .honeycombs()
                .mapToObj(hive.queenBee().state().honeycombs()::numbered);
        return Stream.concat(Stream.of(hive.queenBee().state().honeycombs().of(inode(inode))), secondaries)
                .map(Honeycomb::desktop)
                .toList();
    }

    private Inode inode(long inode) {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(inode));
    }
}
