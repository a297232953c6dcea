package org.beefs.queenbee.replication.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Where a desktop that was chosen cannot have a copy, another one gets it. */
class CopiesElsewhereTest {
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));
    private static final Duration LONG = Duration.ofMinutes(5);

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> desktops = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop second = come("second");
    private final TestDesktop third = come("third");
    private final TestDesktop fourth = come("fourth");

    @Test
    void shouldChooseAnotherDesktopWhereOneHasNoRoom() {
        second.setFetched(fetch -> {
            second.setAvailable(0);
            return failed(Errno.ENOSPC).build();
        });

        List<Long> files = create(20);

        assertCopiedToOthersThan(2, files);
        assertThat(fetches(fourth)).isNotEmpty();
    }

    /** As one without inodes, or with a quota: it goes on telling of free bytes. */
    @Test
    void shouldChooseAnotherDesktopWhereOneSaysThatItHasRoomAndHasNone() {
        second.setFetched(fetch -> failed(Errno.EDQUOT).build());

        List<Long> files = create(20);

        assertCopiedToOthersThan(2, files);
    }

    @Test
    void shouldChooseAnotherDesktopWhereTheDiskOfOneTakesNothing() {
        second.setFetched(fetch -> {
            second.breakReplica(fetch.getReplica().getInode());
            return failed(Errno.EROFS).build();
        });

        List<Long> files = create(20);

        assertCopiedToOthersThan(2, files);
    }

    @Test
    void shouldTryADiskAgainThatHasTakenNothing() {
        AtomicBoolean full = new AtomicBoolean(true);
        second.setFetched(fetch -> full.get() ? failed(Errno.ENOSPC).build() : complete());
        create(20);
        full.set(false);
        hive.advance(desktops, FullDisks.MEMORY);

        assertSomeAreCopiedTo(2, create(20));
    }

    /** How large a file is that is open for writing shows only when it is copied. */
    @Test
    void shouldGoOnCopyingToADesktopThatHasNoRoomForAFileThatIsOpen() {
        second.setFetched(fetch -> fetch.getCheckpoint() ? failed(Errno.ENOSPC).build() : complete());
        List.of(third, fourth).forEach(desktop -> desktop.setFetched(this::checkpoint));
        createOpen(20);
        hive.advance(desktops, CONFIG.checkpointDistance().plus(CONFIG.heartbeat()));
        assertThat(fetches(second)).anyMatch(Fetch::getCheckpoint);

        assertSomeAreCopiedTo(2, create(20));
    }

    /** It was chosen while nothing was in the file. */
    @Test
    void shouldGoOnCopyingToADesktopThatHasNoRoomForAFileThatHasGrown() {
        List.of(second, third, fourth).forEach(desktop -> desktop.setFetched(CopiesElsewhereTest::whenClosed));
        second.setFetched(fetch -> fetch.getSize() > second.space().getAvailable()
                ? failed(Errno.ENOSPC).build()
                : whenClosed(fetch));
        long handle = 1000 + writer.newHandle();
        List<Long> open = createOpen(20);
        hive.advance(desktops, CONFIG.checkpointDistance().plus(CONFIG.heartbeat()));
        long size = 2 * second.space().getAvailable();
        for (long inode : open) {
            writer.ok(Ask.release(inode, ++handle, Ask.written(inode, size, 1)));
        }
        hive.advance(desktops, CONFIG.timeToCoherence().plus(CONFIG.heartbeat()));
        assertThat(fetches(second)).anyMatch(fetch -> fetch.getSize() == size);

        assertSomeAreCopiedTo(2, create(20));
    }

    @Test
    void shouldChooseAnotherDesktopWhereOneReachesNobodyWhoHasTheFile() {
        second.setFetched(CopiesElsewhereTest::reachesNobody);

        List<Long> files = create(20);

        assertCopiedToOthersThan(2, files);
        assertThat(reportOf("second").getUnreachedDesktopsList()).contains("writer");
        assertThat(reportOf("third").getUnreachedDesktopsList()).isEmpty();
    }

    @Test
    void shouldCopyFromASecondaryWhatADesktopCannotCopyFromThePrimary() {
        second.setFetched(CopiesElsewhereTest::doesNotReachTheWriter);

        List<Long> files = create(20);

        assertThat(files)
                .allSatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().current()).hasSize(2))
                .anySatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().current()).contains(2));
    }

    @Test
    void shouldBringAnOldReplicaUpToDateElsewhereWhereItsDesktopDoesNotReachTheNewOne() {
        List<Long> files = create(20);
        second.setFetched(CopiesElsewhereTest::reachesNobody);
        files.forEach(this::rewrite);

        hive.advance(desktops, LONG);

        assertMovedAwayFrom(2, files);
    }

    @Test
    void shouldBringAnOldReplicaUpToDateElsewhereWhereItsDiskDoesNotTakeTheNextVersion() {
        for (Errno errno : List.of(Errno.ENOSPC, Errno.EROFS)) {
            second.setFetched(_ -> complete());
            second.registered();
            List<Long> files = create(20);
            second.setFetched(_ -> failed(errno).build());
            files.forEach(this::rewrite);

            hive.advance(desktops, LONG);

            assertMovedAwayFrom(2, files);
        }
    }

    @Test
    void shouldKeepAnOldReplicaUntilThereIsAnotherInItsPlace() {
        long inode = createWithOneCopyOn(second);
        long old = hive.inode(inode).version();
        second.setFetched(_ -> failed(Errno.ENOSPC).build());
        List.of(third, fourth).forEach(TestDesktop::holdAnswers);
        rewrite(inode);

        hive.advance(desktops, FullDisks.MEMORY.multipliedBy(3));

        assertThat(hive.inode(inode).versionIn(2)).isEqualTo(old);
        assertThat(hive.inode(inode).secondaries().size())
                .as("what takes long to copy goes on being copied to one place")
                .isEqualTo(2);
        List.of(third, fourth).forEach(TestDesktop::answerHeld);
        hive.advance(desktops, LONG);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(1);
        assertThat(second.dropped()).contains(inode);
    }

    @Test
    void shouldTryAnOldReplicaAgainWhereThereIsNoOtherPlace() {
        long inode = createWithOneCopyOn(second);
        long old = hive.inode(inode).version();
        List.of(third, fourth).forEach(this::go);
        second.setFetched(_ -> failed(Errno.ENOSPC).build());
        rewrite(inode);
        hive.advance(desktops, LONG);
        assertThat(hive.inode(inode).versionIn(2)).isEqualTo(old);

        second.setFetched(_ -> complete());
        hive.advance(desktops, FullDisks.MEMORY);

        assertThat(hive.inode(inode).secondaries().current()).containsExactly(2);
        assertThat(second.dropped()).isEmpty();
    }

    @Test
    void shouldCopyAnOpenFileElsewhereWhereADiskDoesNotTakeTheNextVersion() {
        List<Long> files = create(20);
        second.setFetched(_ -> failed(Errno.ENOSPC).build());
        List.of(third, fourth).forEach(desktop -> desktop.setFetched(this::checkpoint));
        files.forEach(inode -> writer.ok(Ask.open(inode, 1000 + writer.newHandle(), false, true)));

        hive.advance(desktops, CONFIG.checkpointDistance().plus(LONG));

        assertThat(files)
                .allSatisfy(inode -> assertThat(hive.inode(inode).size()).isEqualTo(200));
    }

    @Test
    void shouldCopyToADesktopAgainThatHasComeWithAnotherAddress() {
        second.setFetched(CopiesElsewhereTest::reachesNobody);
        create(20);
        second.setFetched(fetch -> complete());
        second.registered();

        List<Long> files = create(20);

        assertThat(reportOf("second").getUnreachedDesktopsList()).isEmpty();
        assertSomeAreCopiedTo(2, files);
    }

    /** A desktop that is switched off answers nobody for a moment before the queen-bee knows. */
    @Test
    void shouldWaitForAPrimaryThatCannotBeReachedForAShortTime() {
        second.setFetched(CopiesElsewhereTest::reachesNobody);
        createCommitted("f");
        hive.advance(desktops, CONFIG.timeToCoherence().plusSeconds(20));

        assertThat(reportOf("second").getUnreachedDesktopsList()).isEmpty();
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        desktops.add(desktop);
        return desktop;
    }

    /** Files that the queen-bee has had time to have copied. */
    private List<Long> create(int number) {
        List<Long> inodes = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            inodes.add(createCommitted("f" + hive.names(Namespace.ROOT).size()));
        }
        hive.advance(desktops, LONG);
        return inodes;
    }

    private List<Long> createOpen(int number) {
        List<Long> inodes = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            inodes.add(writer.ok(Ask.create(Namespace.ROOT, "open" + i, 0644, 1000 + writer.newHandle()))
                    .getNode()
                    .getAttributes()
                    .getInode());
        }
        return inodes;
    }

    private void assertSomeAreCopiedTo(int honeycomb, List<Long> files) {
        assertThat(files)
                .anySatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().current()).contains(honeycomb));
    }

    private void assertMovedAwayFrom(int honeycomb, List<Long> files) {
        assertCopiedToOthersThan(honeycomb, files);
        assertThat(files)
                .allSatisfy(inode -> assertThat(hive.inode(inode).secondaries().has(honeycomb))
                        .isFalse());
    }

    private long createCommitted(String name) {
        return writer.createWritten(name, inode -> Ask.written(inode, 100, 1));
    }

    private void rewrite(long inode) {
        writer.ok(Ask.release(inode, writer.openToWrite(inode), Ask.written(inode, 100, 2)));
    }

    /** A file of which that desktop has the only secondary. */
    private long createWithOneCopyOn(TestDesktop desktop) {
        writer.ok(Ask.setXattr(Namespace.ROOT, "beefs.replicas", "2"));
        return create(20).stream()
                .filter(inode -> hive.inode(inode).secondaries().has(hive.number(desktop.name())))
                .findFirst()
                .orElseThrow();
    }

    private void go(TestDesktop desktop) {
        desktops.remove(desktop);
        desktop.disconnect();
    }

    /** The primary of an open file has grown. */
    private Fetched checkpoint(Fetch fetch) {
        Fetched.Builder made = Fetched.newBuilder().setComplete(true);
        return fetch.getCheckpoint()
                ? made.setCheckpoint(Ask.written(fetch.getReplica().getInode(), 200, 2))
                        .build()
                : made.build();
    }

    private void assertCopiedToOthersThan(int honeycomb, List<Long> files) {
        assertThat(files)
                .allSatisfy(inode -> assertThat(hive.inode(inode).secondaries().current())
                        .hasSize(2)
                        .doesNotContain(honeycomb));
    }

    private DesktopReport reportOf(String desktop) {
        return third.ok(Ask.status()).getHiveReport().getDesktopsList().stream()
                .filter(report -> report.getDesktop().equals(desktop))
                .findFirst()
                .orElseThrow();
    }

    private static Fetched reachesNobody(Fetch fetch) {
        return failed(Errno.EIO).setUnreachable(true).build();
    }

    private static Fetched doesNotReachTheWriter(Fetch fetch) {
        return fetch.getSourcesList().stream().map(ReplicaPlace::getDesktop).allMatch("writer"::equals)
                ? reachesNobody(fetch)
                : complete();
    }

    /** The file is being changed as long as it is open. */
    private static Fetched whenClosed(Fetch fetch) {
        return fetch.getCheckpoint() ? failed(Errno.EAGAIN).build() : complete();
    }

    private static Fetched complete() {
        return Fetched.newBuilder().setComplete(true).build();
    }

    private static Fetched.Builder failed(Errno errno) {
        return Fetched.newBuilder().setFailure(new PosixException(errno, "made to fail").toFailure());
    }

    private static List<Fetch> fetches(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .toList();
    }
}
