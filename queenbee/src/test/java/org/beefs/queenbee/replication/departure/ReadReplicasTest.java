package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.ExtraReplicas;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a file that was read whole on a desktop where it has no replica. Files have two replicas, of a
 * mebibyte each.
 */
class ReadReplicasTest {
    private static final long ROOT = Namespace.ROOT;
    private static final long MIB = 1L << 20;
    private static final int PERCENT = 10;
    private static final QueenBeeConfig CONFIG = TestConfig.withReplicateOnRead(PERCENT);

    /** For what is due to be copied, sealed, moved and removed. */
    private static final Duration A_WHILE =
            CONFIG.timeToCoherence().plus(CONFIG.sealDelay().multipliedBy(4));

    private TestHive hive = new TestHive(new MemoryStateStore(), CONFIG);
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop holder = come("holder");
    private TestDesktop reader = come("reader");
    private long written;

    @Test
    void shouldKeepAReplicaWhereItWasRead() {
        long inode = createCopied();

        readWhole(inode);
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).containsExactly("writer primary", "holder secondary current", "reader extra current");
    }

    @Test
    void shouldKeepNoneUnlessTheHiveWantsThat() {
        awake.clear();
        hive = new TestHive();
        TestDesktop first = come("writer");
        reader = come("reader");
        first.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        long inode = create(first, "f");
        hive.advance(awake, A_WHILE);

        readWhole(inode);
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).containsExactly("writer primary");
    }

    @Test
    void shouldKeepNoneForWhoHadNotOpenedIt() {
        long inode = createCopied();

        reader.ok(Ask.releaseReadWhole(inode, 7777));
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).doesNotContain("reader extra current");
    }

    @Test
    void shouldKeepItBesideThoseThatTheFileShouldHave() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);

        writer.ok(Ask.setXattr(inode, "beefs.replicas", "1"));
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).containsExactly("writer primary", "reader extra current");
    }

    @Test
    void shouldKnowItAfterARestart() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);

        hive.restart();
        awake.forEach(TestDesktop::registered);
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).containsExactly("writer primary", "holder secondary current", "reader extra current");
        assertThat(extras().bytes(hive.number("reader"))).isEqualTo(MIB);
    }

    @Test
    void shouldLetItGoWhenTheFileChanges() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);

        write(writer, inode);

        assertThat(places(inode)).containsExactly("writer primary", "holder secondary stale");
        hive.advance(awake, A_WHILE);
        assertThat(reader.dropped()).containsExactly(inode);
        assertThat(places(inode)).containsExactly("writer primary", "holder secondary current");
    }

    @Test
    void shouldNotCopyWhatChangesAgainBeforeItsTimeToCoherence() {
        long inode = createCopied();
        for (int i = 0; i < 3; i++) {
            write(writer, inode);
            readWhole(inode);
            hive.advance(awake, CONFIG.timeToCoherence().dividedBy(4));
        }

        assertThat(fetched(reader)).isEmpty();
    }

    @Test
    void shouldTakeItForOneThatTheFileLacks() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);

        writer.ok(Ask.drain("holder", false));
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).containsExactly("writer primary", "reader secondary current");
        assertThat(holder.dropped()).containsExactly(inode);
        assertThat(fetched(reader)).hasSize(1);
    }

    @Test
    void shouldMakeItThePrimaryWhereTheFileIsWritten() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);

        write(reader, inode);
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).hasSize(2).startsWith("reader primary").noneMatch(place -> place.contains("extra"));
        assertThat(extras().bytes(hive.number("reader"))).isZero();
    }

    @Test
    void shouldKeepItForGoodWhenSomebodyWantsItThere() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);
        assertThat(here(inode)).isEqualTo("absent");

        reader.ok(Ask.setXattr(inode, "beefs.here", "current"));
        hive.advance(awake, A_WHILE);

        assertThat(here(inode)).isEqualTo("current");
        assertThat(places(inode)).containsExactly("writer primary", "reader secondary current");
    }

    @Test
    void shouldNotTakeMoreThanTheirShare() {
        reader.setSpace(35 * MIB, 0);
        List<Long> inodes = createCopied(5);

        inodes.forEach(inode -> {
            readWhole(inode);
            hive.advance(awake, A_WHILE);
        });

        assertThat(inodes.stream().filter(this::isExtra)).isEqualTo(inodes.subList(2, 5));
        assertThat(reader.dropped()).isEqualTo(inodes.subList(0, 2));
    }

    @Test
    void shouldLeaveOutWhatIsLargerThanTheirShare() {
        reader.setSpace(9 * MIB, 0);
        long inode = createCopied();

        readWhole(inode);
        hive.advance(awake, A_WHILE);

        assertThat(isExtra(inode)).isFalse();
    }

    @Test
    void shouldKeepWhatIsOpenWhenOthersNeedTheRoom() {
        reader.setSpace(25 * MIB, 0);
        List<Long> inodes = createCopied(3);
        inodes.subList(0, 2).forEach(this::readWhole);
        hive.advance(awake, A_WHILE);
        writer.ok(Ask.open(inodes.getFirst(), 7000, true, false));

        readWhole(inodes.get(2));
        hive.advance(awake, A_WHILE);

        assertThat(inodes.stream().filter(this::isExtra)).containsExactly(inodes.get(0), inodes.get(2));
    }

    @Test
    void shouldLetThemGoFirstWhenSpaceIsShort() {
        reader.setSpace(100 * MIB, 0);
        long own = create(reader, "own");
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "3"));
        long needed = create(writer, "needed");
        hive.advance(awake, A_WHILE);
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
        List<Long> inodes = createCopied(6);
        inodes.forEach(this::readWhole);
        hive.advance(awake, A_WHILE);
        assertThat(inodes).allMatch(this::isExtra);

        reader.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));
        reader.setSpace(100 * MIB, 90 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(reader.dropped()).containsExactlyInAnyOrderElementsOf(inodes);
        assertThat(places(own)).startsWith("reader primary");
        assertThat(places(needed)).contains("reader secondary current");
    }

    @Test
    void shouldFetchOnlySoManyAtATime() {
        List<Long> inodes = createCopied(ReadReplicas.MOST_COMING + 2);
        reader.holdAnswers();

        inodes.forEach(this::readWhole);

        assertThat(inodes.stream().filter(this::isExtra)).hasSize(ReadReplicas.MOST_COMING);
        reader.answerHeld();
        hive.advance(awake, A_WHILE);
        readWhole(inodes.getLast());
        assertThat(isExtra(inodes.getLast())).isTrue();
    }

    @Test
    void shouldNotTryAgainWhatCannotBeCopied() {
        long inode = createCopied();
        reader.setFetched(fetch -> Fetched.newBuilder()
                .setFailure(new PosixException(Errno.EIO, "the disk is broken").toFailure())
                .build());

        readWhole(inode);
        hive.advance(awake, A_WHILE);

        assertThat(places(inode)).containsExactly("writer primary", "holder secondary current");
        assertThat(fetched(reader)).hasSize(1);
    }

    @Test
    void shouldForgetThemWithTheFile() {
        long inode = createCopied();
        readWhole(inode);
        hive.advance(awake, A_WHILE);

        writer.ok(Ask.unlink(ROOT, "f0"));
        hive.advance(awake, A_WHILE);

        assertThat(reader.dropped()).containsExactly(inode);
        assertThat(extras().bytes(hive.number("reader"))).isZero();
    }

    private void readWhole(long inode) {
        long handle = 1000 + reader.newHandle();
        reader.ok(Ask.open(inode, handle, true, false));
        reader.ok(Ask.releaseReadWhole(inode, handle));
    }

    private String here(long inode) {
        return reader.ok(Ask.getXattr(inode, "beefs.here")).getXattr().toStringUtf8();
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    private long createCopied() {
        return createCopied(1).getFirst();
    }

    /** At the writer's and the holder's. */
    private List<Long> createCopied(int files) {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
        reader.setPaused(Duration.ofDays(1));
        hive.advance(awake, CONFIG.heartbeat());
        List<Long> inodes = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            inodes.add(create(writer, "f" + i));
        }
        hive.advance(awake, A_WHILE);
        reader.setPaused(Duration.ZERO);
        hive.advance(awake, CONFIG.heartbeat());
        assertThat(inodes)
                .allSatisfy(inode ->
                        assertThat(places(inode)).containsExactly("writer primary", "holder secondary current"));
        return inodes;
    }

    private long create(TestDesktop desktop, String name) {
        long handle = 1000 + desktop.newHandle();
        long inode = desktop.ok(Ask.create(ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        desktop.ok(Ask.release(inode, handle, status(inode)));
        return inode;
    }

    private void write(TestDesktop desktop, long inode) {
        long handle = 1000 + desktop.newHandle();
        desktop.ok(Ask.open(inode, handle, false, true));
        desktop.ok(Ask.release(inode, handle, status(inode)));
    }

    /** The time also numbers the observation. */
    private ReplicaStatus status(long inode) {
        written++;
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setObservation(written)
                .setSize(MIB)
                .setBlocks(MIB / 512)
                .setMtime(Timestamp.newBuilder().setSeconds(written))
                .build();
    }

    private static List<Fetch> fetched(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .toList();
    }

    private boolean isExtra(long inode) {
        return hive.inode(inode).secondaries().isExtra(hive.number("reader"));
    }

    /** The primary's first. */
    private List<String> places(long number) {
        Inode inode = hive.inode(number);
        return Stream.concat(
                        Stream.of(desktop(inode.honeycomb()) + " primary"),
                        inode.secondaries()
                                .honeycombs()
                                .mapToObj(place -> "%s %s %s"
                                        .formatted(
                                                desktop(place),
                                                inode.secondaries().isExtra(place) ? "extra" : "secondary",
                                                inode.secondaries().isCurrent(place) ? "current" : "stale")))
                .toList();
    }

    private String desktop(int honeycomb) {
        return hive.queenBee().state().honeycombs().numbered(honeycomb).desktop();
    }

    private ExtraReplicas extras() {
        return hive.queenBee().state().namespace().extras();
    }
}
