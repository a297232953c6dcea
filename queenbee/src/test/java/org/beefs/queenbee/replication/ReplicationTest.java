package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Which files the queen-bee has copied, whereto, and when. */
class ReplicationTest {
    private static final long ROOT = Namespace.ROOT;
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** Enough for what is due, as it is looked at with each heartbeat. */
    private static final Duration COHERENCE =
            CONFIG.timeToCoherence().plus(CONFIG.heartbeat().multipliedBy(2));

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> desktops = new ArrayList<>();
    private final TestDesktop writer = come(new TestDesktop(hive, "writer"));
    private final TestDesktop second = come(new TestDesktop(hive, "second"));
    private final TestDesktop third = come(new TestDesktop(hive, "third"));

    @Test
    void shouldCopyACommittedFileToOtherDesktopsAfterItsTimeToCoherence() {
        long inode = createCommitted("f");
        hive.advance(desktops, CONFIG.timeToCoherence().minus(CONFIG.heartbeat()));
        assertThat(fetches(second)).isEmpty();

        hive.advance(desktops, COHERENCE);

        assertThat(fetches(writer)).isEmpty();
        Fetch fetch = fetches(second).getFirst();
        assertThat(fetches(third)).containsExactly(fetch);
        assertThat(fetch.getReplica().getInode()).isEqualTo(inode);
        assertThat(fetch.getVersion()).isEqualTo(hive.inode(inode).version());
        assertThat(fetch.getSize()).isEqualTo(100);
        assertThat(fetch.getSourcesList()).extracting(ReplicaPlace::getDesktop).contains("writer");
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldCopyOnceWhatIsOverwrittenBefore() {
        long inode = createCommitted("f");
        for (int time = 2; time < 9; time++) {
            hive.advance(desktops, Duration.ofSeconds(3));
            rewrite(inode, time);
        }
        hive.advance(desktops, COHERENCE);
        assertThat(fetches(second)).hasSize(1);
        assertThat(hive.inode(inode).secondaries().areCurrent()).isTrue();
    }

    @Test
    void shouldNeverCopyWhatIsRemovedBefore() {
        createCommitted("f");
        writer.ok(Ask.unlink(ROOT, "f"));
        hive.advance(desktops, COHERENCE);
        assertThat(fetches(second)).isEmpty();
    }

    @Test
    void shouldCountSecondariesAsStaleFromTheBeginningOfAChange() {
        long inode = createCopied("f");
        long handle = open(inode);
        assertThat(opened(inode)).isEmpty();

        writer.ok(Ask.release(inode, handle, written(inode, 2)));

        assertThat(hive.inode(inode).secondaries().current()).isEmpty();
        assertThat(opened(inode)).isEmpty();
        hive.advance(desktops, COHERENCE);
        assertThat(opened(inode)).containsExactlyInAnyOrder("second", "third");
    }

    @Test
    void shouldCountSecondariesAgainWhenNothingWasChanged() {
        long inode = createCopied("f");
        long handle = open(inode);
        writer.ok(Ask.release(
                inode, handle, written(inode, 1).toBuilder().setObservation(5).build()));
        assertThat(opened(inode)).containsExactlyInAnyOrder("second", "third");
    }

    @Test
    void shouldNotTakeACopyForTheNewestThatWasOvertaken() {
        long inode = createCommitted("f");
        second.holdAnswers();
        hive.advance(desktops, COHERENCE);
        rewrite(inode, 2);

        second.answerHeld();

        assertThat(hive.inode(inode).secondaries().has(2)).isTrue();
        assertThat(hive.inode(inode).secondaries().isCurrent(2)).isFalse();
    }

    @Test
    void shouldTellForHowLongTheOldestVersionHasWaited() {
        createCommitted("f");
        second.holdAnswers();
        hive.advance(desktops, COHERENCE);
        hive.advance(desktops, CONFIG.heartbeat());

        assertThat(lag()).isGreaterThanOrEqualTo(CONFIG.heartbeat()).isLessThan(COHERENCE);

        second.answerHeld();
        hive.advance(desktops, CONFIG.heartbeat());
        assertThat(lag()).isZero();
    }

    private Duration lag() {
        return Duration.ofMillis(writer.ok(Ask.status()).getHiveReport().getReplicationLagMillis());
    }

    @Test
    void shouldRemoveAllReplicasOfARemovedFileAlsoThoseThatAreBeingMade() {
        long inode = createCommitted("f");
        second.holdAnswers();
        hive.advance(desktops, COHERENCE);

        writer.ok(Ask.unlink(ROOT, "f"));
        second.answerHeld();
        hive.advance(desktops, CONFIG.heartbeat());

        for (TestDesktop desktop : List.of(writer, second, third)) {
            assertThat(desktop.received().stream()
                            .flatMap(request -> request.getDrop().getReplicasList().stream())
                            .map(ReplicaName::getInode))
                    .containsExactly(inode);
        }
    }

    @Test
    void shouldTryAgainAfterGrowingPauses() {
        second.setFetched(fetch -> failed(Errno.EIO));
        third.setFetched(fetch -> failed(Errno.EIO));
        createCommitted("f");
        hive.advance(desktops, COHERENCE);
        int first = fetches(second).size();
        hive.advance(desktops, Duration.ofMinutes(10));
        int later = fetches(second).size();
        hive.advance(desktops, Duration.ofMinutes(10));

        assertThat(first).isBetween(1, 3);
        assertThat(later - first).isBetween(5, 20);
        assertThat(fetches(second).size() - later).isBetween(5, 12);
    }

    @Test
    void shouldSpreadFilesOverDesktopsByTheirFreeSpace() {
        TestDesktop large = new TestDesktop(hive, "large");
        large.setAvailable(1L << 42);
        come(large);
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
        for (int i = 0; i < 120; i++) {
            createCommitted("f" + i);
        }
        hive.advance(desktops, COHERENCE);

        assertThat(fetches(large)).hasSizeBetween(60, 100);
        assertThat(fetches(second)).hasSizeBetween(8, 40);
    }

    @Test
    void shouldCopyWhatLacksReplicasWhenADesktopComes() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "4"));
        long inode = createCopied("f");
        assertThat(hive.inode(inode).secondaries().size()).isEqualTo(2);

        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));

        assertThat(fetches(fourth)).hasSize(1);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(3);
    }

    @Test
    void shouldGoOnAfterARestart() {
        long inode = createCommitted("f");
        hive.restart();
        desktops.forEach(desktop -> desktop.register(desktop.register()));
        hive.advance(desktops, COHERENCE);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);

        hive.restart();

        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldDropSurplusReplicasWhenFewerAreWanted() {
        long inode = createCopied("f");
        writer.ok(Ask.setXattr(inode, "beefs.replicas", "2"));
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));

        assertThat(hive.inode(inode).secondaries().current()).hasSize(1);
        assertThat(Stream.of(second, third)
                        .flatMap(desktop -> desktop.received().stream())
                        .filter(DesktopRequest::hasDrop))
                .hasSize(1);
    }

    @Test
    void shouldKeepWhatIsTooMuchUntilThePrimaryIsThere() {
        long inode = createCopied("f");
        desktops.remove(writer);
        writer.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));

        second.ok(Ask.setXattr(inode, "beefs.replicas", "1"));
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);

        writer.registered();
        desktops.add(writer);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));
        assertThat(hive.inode(inode).secondaries().current()).isEmpty();
    }

    @Test
    void shouldHaveAReplicaGoAsSoonAsThePrimaryComes() {
        long inode = createCopied("f");
        desktops.remove(second);
        second.disconnect();
        writer.ok(Ask.setXattr(inode, "beefs.replicas", "1"));
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));
        desktops.remove(writer);
        writer.disconnect();
        come(second);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));
        assertThat(second.dropped()).isEmpty();

        come(writer);

        assertThat(second.dropped()).containsExactly(inode);
    }

    @Test
    void shouldTakeSettingsFromTheDirectoryAndTellThem() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
        writer.ok(Ask.setXattr(ROOT, "beefs.time_to_coherence", "5m"));
        long inode = createCommitted("f");

        assertThat(xattr(inode, "beefs.replicas")).isEqualTo("2");
        assertThat(xattr(inode, "beefs.time_to_coherence")).isEqualTo("5m");
        assertThat(xattr(inode, "beefs.p_factor")).isEqualTo("0");
        assertThat(xattr(inode, "beefs.own")).isEqualTo("replicas time-to-coherence");
        writer.ok(Ask.removeXattr(inode, "beefs.replicas"));
        assertThat(xattr(inode, "beefs.replicas")).isEqualTo("3");
        assertThat(xattr(inode, "beefs.own")).isEqualTo("time-to-coherence");
        hive.restart();
        assertThat(hive.inode(inode).replication().timeToCoherence()).hasValue(300_000);
    }

    @Test
    void shouldRefuseSettingsThatCannotBe() {
        long inode = createCommitted("f");
        assertThat(writer.fails(Ask.setXattr(inode, "beefs.replicas", "0"))).isEqualTo(Errno.EINVAL);
        assertThat(writer.fails(Ask.setXattr(inode, "beefs.replicas", "many"))).isEqualTo(Errno.EINVAL);
        assertThat(writer.fails(Ask.setXattr(inode, "beefs.time_to_coherence", "soon")))
                .isEqualTo(Errno.EINVAL);
        assertThat(writer.fails(Ask.setXattr(inode, "beefs.p_factor", "17"))).isEqualTo(Errno.EINVAL);
        assertThat(writer.fails(Ask.setXattr(inode, "beefs.version", "2"))).isEqualTo(Errno.EPERM);
        assertThat(writer.fails(Ask.setXattr(inode, "beefs.own", "replicas"))).isEqualTo(Errno.EPERM);
        assertThat(writer.as(1000, 1000).fails(Ask.setXattr(inode, "beefs.replicas", "2")))
                .isEqualTo(Errno.EPERM);
    }

    @Test
    void shouldCopyNothingToAPausedDesktopUntilItGoesOn() {
        second.setPaused(Duration.ofHours(1));
        hive.advance(desktops, CONFIG.heartbeat());

        long inode = createCopied("f");

        assertThat(fetches(second)).isEmpty();
        assertThat(hive.inode(inode).secondaries().current()).hasSize(1);
        second.setPaused(Duration.ZERO);
        hive.advance(desktops, COHERENCE);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldCopyNothingFromAPausedDesktopUntilItGoesOn() {
        writer.setPaused(Duration.ofHours(1));
        hive.advance(desktops, CONFIG.heartbeat());

        long inode = createCopied("f");

        assertThat(fetches(second)).isEmpty();
        writer.setPaused(Duration.ZERO);
        hive.advance(desktops, COHERENCE);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldTellOfADirectoryWhatItsFilesGetAndNoPlace() {
        assertThat(xattr(ROOT, "beefs.replicas")).isEqualTo("3");
        assertThat(writer.fails(Ask.getXattr(ROOT, "beefs.location"))).isEqualTo(Errno.ENODATA);
        assertThat(writer.fails(Ask.getXattr(ROOT, "beefs.version"))).isEqualTo(Errno.ENODATA);
    }

    @Test
    void shouldTellWhereAFileIs() {
        long inode = createCopied("f");
        long version = hive.inode(inode).version();
        assertThat(xattr(inode, "beefs.version")).isEqualTo(Long.toString(version));
        assertThat(xattr(inode, "beefs.location").lines())
                .hasSize(3)
                .first()
                .isEqualTo("writer\tprimary\t%d\t%d\tcurrent\tawake"
                        .formatted(version, hive.inode(inode).epoch()));
        rewrite(inode, 2);
        assertThat(xattr(inode, "beefs.location").lines().filter(line -> line.contains("\tstale\t")))
                .hasSize(2);
    }

    @Test
    void shouldRemoveASecondaryThatItNeverChose() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        long inode = createCommitted("f");
        ReplicaName stray = ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(hive.inode(inode).epoch())
                .setVersion(hive.inode(inode).version())
                .setSecondary(true)
                .build();
        ReplicaName later =
                stray.toBuilder().setVersion(hive.inode(inode).version() + 1).build();

        assertThat(inventory(second, stray)).containsExactly(stray);
        assertThat(inventory(second, later)).isEmpty();
    }

    @Test
    void shouldBelieveAnInventoryAboutTheVersionOfASecondary() {
        long inode = createCopied("f");
        ReplicaName older = ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(hive.inode(inode).epoch())
                .setVersion(hive.inode(inode).version() - 1)
                .setSecondary(true)
                .build();
        assertThat(inventory(second, older)).isEmpty();
        assertThat(hive.inode(inode).secondaries().isCurrent(2)).isFalse();
    }

    @Test
    void shouldLookAtFewFilesInOnePassAndAtAllWithoutBeingAsked() {
        List<Long> inodes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            inodes.add(createCommitted("f" + i));
        }
        hive.advance(desktops, CONFIG.timeToCoherence().dividedBy(2));
        hive.time().advance(CONFIG.timeToCoherence(), () -> {});

        hive.queenBee().runPass();

        assertThat(inodes.stream().filter(this::isLookedAt)).hasSizeBetween(1, 16);
        hive.run();
        assertThat(inodes).allMatch(this::isLookedAt);
    }

    @Test
    void shouldCopyALargeFileToSeveralDesktopsAtOnce() {
        List.of(second, third).forEach(TestDesktop::holdAnswers);
        createCommitted("f", 10L << 30);

        hive.advance(desktops, COHERENCE);

        assertThat(fetches(second)).hasSize(1);
        assertThat(fetches(third)).hasSize(1);
    }

    @Test
    void shouldNameOneLargeFileInARequest() {
        second.holdAnswers();
        for (int i = 0; i < 10; i++) {
            createCommitted("large" + i, 1L << 30);
        }

        hive.advance(desktops, COHERENCE);

        assertThat(fetches(second)).hasSize(1);
    }

    @Test
    void shouldEndALargeFileBeforeManyOthersAreBegun() {
        Map<Long, Integer> turns = new HashMap<>();
        second.setFetched(fetch -> Fetched.newBuilder()
                .setComplete(turns.merge(fetch.getReplica().getInode(), 1, Integer::sum) == 3)
                .build());
        for (int i = 0; i < 10; i++) {
            createCommitted("large" + i, 1L << 30);
        }

        hive.advance(desktops, COHERENCE);

        List<Long> asked = fetches(second).stream()
                .map(fetch -> fetch.getReplica().getInode())
                .toList();
        assertThat(asked).hasSize(30);
        assertThat(asked.subList(0, 6))
                .as("every other turn is the first one's")
                .filteredOn(asked.getFirst()::equals)
                .hasSize(3);
    }

    @Test
    void shouldLookAtPartOfTheNamespaceInOnePass() {
        desktops.removeAll(List.of(second, third));
        List.of(second, third).forEach(TestDesktop::disconnect);
        for (int i = 0; i < 5000; i++) {
            createCommitted("f" + i);
        }
        hive.advance(desktops, COHERENCE);
        assertThat(waiting()).isZero();

        hive.submit(QueenRequest.newBuilder().setRegister(second.register()).build(), second);
        long most = mostFoundInAPass();
        hive.time().advance(CONFIG.heartbeat(), () -> {});
        most = Math.max(most, mostFoundInAPass());

        assertThat(most).isBetween(1L, 4096L);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));
        assertThat(fetches(second)).hasSize(5000);
    }

    private long mostFoundInAPass() {
        long most = 0;
        while (hive.queenBee().hasWork()) {
            long before = waiting();
            hive.queenBee().runPass();
            most = Math.max(most, waiting() - before);
        }
        return most;
    }

    private long waiting() {
        return hive.queenBee().state().replication().waiting();
    }

    private boolean isLookedAt(long inode) {
        return hive.inode(inode).secondaries().honeycombs().findAny().isPresent();
    }

    private TestDesktop come(TestDesktop desktop) {
        desktops.add(desktop.registered());
        return desktop;
    }

    private static List<ReplicaName> inventory(TestDesktop desktop, ReplicaName replica) {
        return desktop.ok(QueenRequest.newBuilder()
                        .setInventory(Inventory.newBuilder().addReplicas(replica)))
                .getDrop()
                .getReplicasList();
    }

    private String xattr(long inode, String name) {
        return writer.ok(Ask.getXattr(inode, name)).getXattr().toStringUtf8();
    }

    private static Fetched failed(Errno errno) {
        return Fetched.newBuilder()
                .setFailure(new PosixException(errno, "made to fail").toFailure())
                .build();
    }

    private static List<Fetch> fetches(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .toList();
    }

    private List<String> opened(long inode) {
        long handle = 5000 + third.newHandle();
        List<ReplicaPlace> places = third.ok(Ask.open(inode, handle, true, false))
                .getNode()
                .getLayout()
                .getSecondariesList();
        third.ok(Ask.release(inode, handle));
        return places.stream().map(ReplicaPlace::getDesktop).toList();
    }

    private long createCopied(String name) {
        long inode = createCommitted(name);
        hive.advance(desktops, COHERENCE);
        return inode;
    }

    private long createCommitted(String name) {
        return createCommitted(name, 100);
    }

    private long createCommitted(String name, long size) {
        long handle = 1000 + writer.newHandle();
        long inode = writer.ok(Ask.create(ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(inode, handle, Ask.written(inode, size, 1)));
        return inode;
    }

    private long open(long inode) {
        long handle = 1000 + writer.newHandle();
        writer.ok(Ask.open(inode, handle, false, true));
        return handle;
    }

    private void rewrite(long inode, long time) {
        writer.ok(Ask.release(inode, open(inode), written(inode, time)));
    }

    /** The time also numbers the observation. */
    private static ReplicaStatus written(long inode, long time) {
        return Ask.written(inode, 100, time);
    }
}
