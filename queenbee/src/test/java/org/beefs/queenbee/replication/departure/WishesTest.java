package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
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
        hive.advance(awake, A_WHILE);

        assertThat(here(wishing, inode)).isEqualTo("current");
        assertThat(hive.desktopsOf(inode)).containsExactly("writer", name(wishing));
        assertThat(holder.dropped()).containsExactly(inode);
    }

    @Test
    void shouldKeepTheOtherReplicaUntilThatIsCurrent() {
        long inode = createCopied(2);
        TestDesktop holder = holder(inode);
        TestDesktop wishing = other(holder);
        wishing.holdAnswers();

        wish(wishing, inode);
        hive.advance(awake, A_WHILE);

        assertThat(here(wishing, inode)).isEqualTo("coming");
        assertThat(here(holder, inode)).isEqualTo("current");
        assertThat(holder.dropped()).isEmpty();
    }

    @Test
    void shouldMoveAFileThatHasOneReplicaOnly() {
        long inode = createCopied(1);

        wish(third, inode);
        hive.advance(awake, A_WHILE);

        assertThat(hive.desktopsOf(inode)).containsExactly("third");
        assertThat(writer.dropped()).containsExactly(inode);
    }

    @Test
    void shouldLeaveAFileWhereItWasWhenNobodyTellsTheWishAgain() {
        long inode = createCopied(2);
        TestDesktop holder = holder(inode);
        TestDesktop wishing = other(holder);
        wishing.holdAnswers();
        wish(wishing, inode);

        hive.advance(awake, Wishes.LIFETIME.plus(A_WHILE));

        assertThat(hive.desktopsOf(inode)).containsExactly("writer", name(holder));
    }

    @Test
    void shouldGoOnWaitingWhenTheWishIsToldAgain() {
        long inode = createCopied(2);
        TestDesktop wishing = other(holder(inode));
        wishing.holdAnswers();

        for (int i = 0; i < 3; i++) {
            wish(wishing, inode);
            hive.advance(awake, Wishes.LIFETIME.minus(A_WHILE));
        }

        assertThat(here(wishing, inode)).isEqualTo("coming");
    }

    @Test
    void shouldKeepAWishWhileTheReplacedDesktopMakesRoom() {
        long inode = createCopied(2);
        TestDesktop holder = holder(inode);
        TestDesktop wishing = other(holder);
        createCopied("canLeave", 3);
        writer.ok(Ask.open(inode, 7000, true, false));
        wishing.holdAnswers();
        wish(wishing, inode);
        assertThat(here(wishing, inode)).isEqualTo("coming");

        holder.setSpace(100 * MIB, 99 * MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(holder.dropped()).as("a round has begun").isNotEmpty();
        assertThat(here(wishing, inode)).isEqualTo("coming");
    }

    @Test
    void shouldChangeNothingWhereTheReplicaIsAlready() {
        long inode = createCopied(3);
        List<String> before = hive.desktopsOf(inode);

        wish(third, inode);
        hive.advance(awake, A_WHILE);

        assertThat(hive.desktopsOf(inode)).isEqualTo(before);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        long inode = createCopied(1);
        assertThat(third.as(1000, 1000).fails(Ask.setXattr(inode, "beefs.here", "current")))
                .isEqualTo(Errno.EACCES);
        third.as(0, 0);
        assertThat(third.fails(Ask.setXattr(inode, "beefs.here", "absent"))).isEqualTo(Errno.EINVAL);
        third.setSpace(100 * MIB, 95 * MIB);
        hive.advance(awake, CONFIG.heartbeat());
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
        return hive.desktopsOf(inode).contains("second") ? second : third;
    }

    private TestDesktop other(TestDesktop holder) {
        return holder.equals(second) ? third : second;
    }

    private String name(TestDesktop desktop) {
        return desktop.equals(second) ? "second" : "third";
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    private long createCopied(int replicas) {
        return createCopied("f", replicas);
    }

    private long createCopied(String name, int replicas) {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", Integer.toString(replicas)));
        long inode = writer.ok(Ask.create(ROOT, name, 0644, 1000))
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
        hive.advance(awake, A_WHILE);
        assertThat(hive.desktopsOf(inode)).hasSize(replicas);
        return inode;
    }
}
