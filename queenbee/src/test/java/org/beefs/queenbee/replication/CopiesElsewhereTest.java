package org.beefs.queenbee.replication;

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
        hive.advance(desktops, Refusals.MEMORY);

        List<Long> files = create(20);

        assertThat(files)
                .anySatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().current()).contains(2));
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

        assertCopiedToOthersThan(2, files);
        assertThat(files)
                .allSatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().has(2)).isFalse());
    }

    @Test
    void shouldCopyToADesktopAgainThatHasComeWithAnotherAddress() {
        second.setFetched(CopiesElsewhereTest::reachesNobody);
        create(20);
        second.setFetched(fetch -> complete());
        second.registered();

        List<Long> files = create(20);

        assertThat(reportOf("second").getUnreachedDesktopsList()).isEmpty();
        assertThat(files)
                .anySatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().current()).contains(2));
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

    private long createCommitted(String name) {
        long handle = 1000 + writer.newHandle();
        long inode = writer.ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(inode, handle, Ask.written(inode, 100, 1)));
        return inode;
    }

    private void rewrite(long inode) {
        long handle = 1000 + writer.newHandle();
        writer.ok(Ask.open(inode, handle, false, true));
        writer.ok(Ask.release(inode, handle, Ask.written(inode, 100, 2)));
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
