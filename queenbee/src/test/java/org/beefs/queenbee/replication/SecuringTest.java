package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Fetches;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SecureContent;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When content is on as many desktops' disks as was promised, and what becomes of it then. */
class SecuringTest {
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));
    private static final Duration PATIENCE = CONFIG.errandDeadline();
    private static final Duration LEASE = CONFIG.lease().multipliedBy(3);
    private static final long HANDLE = 1000;

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop second = come("second");
    private final TestDesktop third = come("third");
    private final TestDesktop fourth = come("fourth");

    /** What the primary replica shows whenever a copy of it begins. */
    private ReplicaStatus shown = ReplicaStatus.getDefaultInstance();

    private Fetched failure = Fetched.getDefaultInstance();
    private long asked;

    @BeforeEach
    void copyWhatIsShown() {
        List.of(second, third, fourth).forEach(desktop -> desktop.setFetched(this::copied));
    }

    @Test
    void shouldAnswerWhenEnoughDesktopsHaveTheContentOfAnOpenFile() {
        long inode = createOpen(3);
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        CompletableFuture<QueenReply> secured = secure(inode);
        assertThat(secured).isNotCompleted();

        letAnswer();

        assertThat(secured).isCompleted();
        assertThat(secured.join().hasFailure()).isFalse();
        assertThat(hive.inode(inode).dirty()).isTrue();
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldAskForThatBesideWhatIsCopiedInTheBackground() {
        secure(createOpen(2));
        Fetch look = requests().stream()
                .filter(Fetches::getUrgent)
                .findFirst()
                .orElseThrow()
                .getFetches(0);
        assertThat(look.getCheckpoint()).isTrue();
        assertThat(look.getQuietMillis()).isEqualTo(50);
    }

    @Test
    void shouldCopyNothingWhenNothingWasWrittenSince() {
        long inode = createOpen(2);
        assertThat(secure(inode)).isCompleted();
        long version = hive.inode(inode).version();

        assertThat(secure(inode)).isCompleted();

        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldNotTakeALookFromBeforeTheQuestionForAnAnswer() {
        long inode = createOpen(2);
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        secure(inode);
        hive.advance(Duration.ofMillis(1));
        shown = Ask.written(inode, 9);
        CompletableFuture<QueenReply> later = secure(inode);

        letAnswer();

        assertThat(later).isCompleted();
        assertThat(hive.inode(inode).size())
                .as("what was written before it asked")
                .isEqualTo(9);
    }

    @Test
    void shouldHaveTheVersionOfAClosedFileCopiedAtOnce() {
        long inode = createOpen(2);
        writer.ok(Ask.release(inode, HANDLE, shown));
        CompletableFuture<QueenReply> secured = secure(inode);
        assertThat(secured).isCompleted();
        assertThat(hive.inode(inode).unsealed()).isFalse();
        assertThat(hive.inode(inode).secondaries().current()).isNotEmpty();
    }

    @Test
    void shouldFailAndNameWhoIsMissing() {
        long inode = createOpen(4);
        assertThat(secure(inode)).isCompleted();
        shown = Ask.written(inode, 9);
        go(third);

        CompletableFuture<QueenReply> secured = secure(inode);
        hive.advance(awake, PATIENCE);

        assertThat(Errno.of(secured.join().getFailure().getErrno())).isEqualTo(Errno.EIO);
        assertThat(secured.join().getFailure().getReason())
                .contains("on the disks of 3 desktops, and must be on 4")
                .contains("third (asleep)");
    }

    @Test
    void shouldBeginToWaitAnewWhenTheQueenBeeHerselfWasStopped() {
        long inode = createOpen(2);
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        CompletableFuture<QueenReply> secured = secure(inode);

        hive.time().jump(PATIENCE.multipliedBy(2));
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(secured).isNotDone();
        hive.advance(awake, PATIENCE);
        assertThat(Errno.of(secured.join().getFailure().getErrno())).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldGiveWhoAsksLaterAPatienceOfHisOwn() {
        long inode = createOpen(2);
        copyWithoutEnd();
        CompletableFuture<QueenReply> first = secure(inode);
        copyFor(CONFIG.heartbeat());
        failure = failed(Errno.EAGAIN, "it is being changed");
        List.of(second, third, fourth).forEach(desktop -> desktop.setFetched(this::copied));
        letAnswer();
        hive.advance(awake, PATIENCE.dividedBy(6));
        CompletableFuture<QueenReply> later = secure(inode);

        hive.advance(awake, PATIENCE.dividedBy(4));

        assertThat(first).isCompleted();
        assertThat(later).isNotDone();
        hive.advance(awake, PATIENCE);
        assertThat(later).isCompleted();
    }

    /** Its connection would end with that. */
    @Test
    void shouldEndTheWaitingBeforeTheDesktopDoes() {
        Duration told = Duration.ofMillis(writer.register(writer.register()).getLongestWaitMillis());
        long inode = createOpen(2);
        copyWithoutEnd();
        CompletableFuture<QueenReply> secured = secure(inode);

        copyFor(told);

        assertThat(secured).isCompleted();
        assertThat(Errno.of(secured.join().getFailure().getErrno())).isEqualTo(Errno.EIO);
    }

    /** The desktop does not know of that. */
    @Test
    void shouldEndTheWaitingBeforeTheDesktopDoesAlsoWhenTheQueenBeeHerselfWasStopped() {
        Duration told = Duration.ofMillis(writer.register(writer.register()).getLongestWaitMillis());
        Duration stop = told.dividedBy(2);
        long inode = createOpen(2);
        copyWithoutEnd();
        CompletableFuture<QueenReply> secured = secure(inode);

        hive.time().jump(stop);
        copyFor(told.minus(stop));

        assertThat(secured).isCompleted();
        assertThat(Errno.of(secured.join().getFailure().getErrno())).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldNotTellOfWhatFailedWhenNobodyWaitedAnyMore() {
        long inode = createOpen(4);
        failure = failed(Errno.EIO, "made to fail");
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        CompletableFuture<QueenReply> first = secure(inode);
        hive.advance(awake, PATIENCE.plus(CONFIG.heartbeat()));
        assertThat(first.join().hasFailure()).isTrue();
        letAnswer();
        List.of(second, third, fourth).forEach(this::go);

        CompletableFuture<QueenReply> secured = secure(inode);
        hive.advance(awake, PATIENCE);

        assertThat(secured.join().getFailure().getReason())
                .contains("second (asleep)")
                .doesNotContain("made to fail");
    }

    @Test
    void shouldTakeAnotherDesktopForOneThatIsAway() {
        long inode = createOpen(2);
        assertThat(secure(inode)).isCompleted();
        List<String> holders = holders(inode);
        inodeSettings(inode, "beefs.replicas", "2");
        for (TestDesktop desktop : List.of(second, third, fourth)) {
            if (holders.contains(desktop.name())) {
                go(desktop);
            }
        }
        shown = Ask.written(inode, 9);
        assertThat(secure(inode)).isCompleted();
        assertThat(holders(inode)).isNotEmpty().doesNotContainAnyElementsOf(holders);
    }

    @Test
    void shouldTakeAnotherDesktopForOneWhoseDiskDoesNotTakeTheNextVersion() {
        long inode = createOpen(2);
        inodeSettings(inode, "beefs.replicas", "2");
        assertThat(secure(inode)).isCompleted();
        List<String> holders = holders(inode);
        for (TestDesktop desktop : List.of(second, third, fourth)) {
            if (holders.contains(desktop.name())) {
                desktop.setFetched(_ -> failed(Errno.ENOSPC, "made to fail"));
            }
        }
        shown = Ask.written(inode, 9);
        writer.ok(Ask.release(inode, HANDLE, shown));

        CompletableFuture<QueenReply> secured = secure(inode);
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(secured).isCompleted();
        assertThat(secured.join().hasFailure()).isFalse();
        assertThat(holders(inode)).isNotEmpty().doesNotContainAnyElementsOf(holders);
    }

    @Test
    void shouldCopyOtherFilesToDesktopsWithoutRoomForALargeOne() {
        long large = createOpen(2);
        failure = failed(Errno.ENOSPC, "made to fail");
        CompletableFuture<QueenReply> refused = secure(large);
        hive.advance(awake, PATIENCE);
        assertThat(refused.join().hasFailure()).isTrue();
        assertThat(requests()).as("each is asked once").hasSize(3);
        failure = Fetched.getDefaultInstance();

        CompletableFuture<QueenReply> secured = secure(createOpen("g", HANDLE + 1, 2));
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(secured).isCompleted();
        assertThat(secured.join().hasFailure()).isFalse();
    }

    @Test
    void shouldWaitForADesktopThatBringsToDiskWhatHasCome() {
        long inode = createOpen(2);
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        CompletableFuture<QueenReply> secured = secure(inode);

        hive.advance(awake, PATIENCE.multipliedBy(2).dividedBy(3));
        assertThat(secured).isNotCompleted();
        letAnswer();

        assertThat(secured).isCompleted();
        assertThat(secured.join().hasFailure()).isFalse();
    }

    @Test
    void shouldTakeAnotherDesktopWhenTheOneThatKeepsACheckpointGoes() {
        long inode = createOpen(2);
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        CompletableFuture<QueenReply> secured = secure(inode);
        TestDesktop keeper = awake.stream()
                .filter(desktop -> desktop.received().stream().anyMatch(DesktopRequest::hasFetch))
                .findFirst()
                .orElseThrow();
        keeper.setAnswering(false);
        keeper.answerHeld();
        go(keeper);
        assertThat(hive.inode(inode).version()).isNotZero();
        assertThat(hive.inode(inode).secondaries().countCurrent()).isZero();

        hive.advance(awake, CONFIG.heartbeat());
        awake.forEach(TestDesktop::answerHeld);

        assertThat(secured).isCompleted();
        assertThat(secured.join().hasFailure()).isFalse();
        assertThat(holders(inode)).isNotEmpty().doesNotContain(keeper.name());
    }

    @Test
    void shouldFailWhenTheContentIsChangedAllTheTime() {
        long inode = createOpen(2);
        failure = failed(Errno.EAGAIN, "it is being changed");
        CompletableFuture<QueenReply> secured = secure(inode);
        for (int answers = 0; answers < 3; answers++) {
            hive.advance(awake, CONFIG.heartbeat());
        }
        assertThat(secured).isNotCompleted();
        hive.advance(awake, PATIENCE);
        assertThat(secured.join().getFailure().getReason()).contains("it is being changed");
    }

    @Test
    void shouldNotHaveCopiedInTheBackgroundWhatSomebodyWaitsFor() {
        long inode = createOpen(2);
        copyWithoutEnd();
        hive.advance(awake, CONFIG.checkpointDistance().plus(CONFIG.heartbeat()));
        assertThat(requests()).hasSize(1).noneMatch(Fetches::getUrgent);
        CompletableFuture<QueenReply> secured = secure(inode);

        letAnswer();

        assertThat(secured).isNotCompleted();
        assertThat(requests()).extracting(Fetches::getUrgent).containsExactly(false, true, true);
    }

    @Test
    void shouldStillKnowOfAPromisedCopyWhenAnEarlierOneIsAnsweredAfterIt() {
        long inode = createOpen(2);
        writer.ok(Ask.release(inode, HANDLE, shown));
        List.of(second, third, fourth).forEach(TestDesktop::holdAnswers);
        hive.advance(awake, CONFIG.timeToCoherence().plus(CONFIG.heartbeat()));
        assertThat(requests()).isNotEmpty().noneMatch(Fetches::getUrgent);
        List.of(second, third, fourth).forEach(TestDesktop::holdNoMore);
        writer.ok(Ask.open(inode, HANDLE, false, true));
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        assertThat(secure(inode)).isCompleted();
        List<String> promised = holders(inode);
        failure = failed(Errno.EIO, "made to fail");

        letAnswer();

        assertThat(promised).isNotEmpty();
        assertThat(holders(inode)).containsAll(promised);
    }

    @Test
    void shouldHaveAsManyReplicasAsMustBeOnDisk() {
        long inode = createOpen(4);
        assertThat(writer.ok(Ask.getXattr(inode, "beefs.replicas")).getXattr().toStringUtf8())
                .isEqualTo("4");
    }

    @Test
    void shouldGoBackToWhatWasPromisedWhenAllElseIsLost() {
        long inode = createOpen(2);
        secure(inode).join();
        long promised = hive.inode(inode).version();
        overtake(inode);
        long lost = hive.inode(inode).version();
        hive.restart();
        awake.forEach(TestDesktop::registered);

        lose(writer);

        assertThat(hive.inode(inode).version()).isEqualTo(promised);
        assertThat(hive.inode(inode).size()).isEqualTo(7);
        assertThat(hive.inode(inode).moving()).isFalse();
        assertThat(hive.inode(inode).honeycomb()).isNotEqualTo(1);
        rewrite(inode);
        assertThat(hive.inode(inode).version()).isGreaterThan(lost);
    }

    @Test
    void shouldWaitForAPromisedCopyThatMayComeBack() {
        long inode = createOpen(2);
        secure(inode).join();
        overtake(inode);
        List<String> holders = promisedHolders(inode);
        for (TestDesktop desktop : List.copyOf(awake)) {
            if (holders.contains(desktop.name())) {
                go(desktop);
            }
        }

        lose(writer);

        assertThat(hive.inode(inode).honeycomb())
                .as("nobody has the promised version now")
                .isEqualTo(1);
    }

    @Test
    void shouldKeepWhatIsNewerOnAReturningDesktopAsAConflictCopy() {
        long inode = createOpen(2);
        secure(inode).join();
        overtake(inode);
        long epoch = hive.inode(inode).epoch();
        long newer = hive.inode(inode).version();
        lose(writer);
        rewrite(inode);

        writer.register(writer.register());
        awake.add(writer);
        ReplicaName replica = ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(epoch)
                .setVersion(newer)
                .build();
        assertThat(writer.ok(QueenRequest.newBuilder()
                                .setInventory(Inventory.newBuilder().addReplicas(replica)))
                        .getDrop()
                        .getReplicasList())
                .isEmpty();
        writer.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(writer.received().stream()
                        .flatMap(request -> request.getAdopt().getAdoptionsList().stream())
                        .map(Adoption::getFrom)
                        .map(ReplicaName::getInode))
                .contains(inode);
        assertThat(writer.received())
                .as("nothing goes before there is the copy")
                .filteredOn(request -> request.hasAdopt() || request.hasDrop())
                .first()
                .matches(DesktopRequest::hasAdopt);
    }

    /** There is progress with each answer, and no copy. */
    private void copyWithoutEnd() {
        for (TestDesktop desktop : List.of(second, third, fourth)) {
            desktop.holdAnswers();
            desktop.setFetched(_ -> {
                desktop.holdAnswers();
                return Fetched.getDefaultInstance();
            });
        }
    }

    private void copyFor(Duration duration) {
        for (Duration left = duration; left.isPositive(); left = left.minus(CONFIG.heartbeat())) {
            hive.advance(awake, CONFIG.heartbeat());
            letAnswer();
        }
    }

    private Fetched copied(Fetch fetch) {
        if (failure.hasFailure()) {
            return failure;
        }
        if (!fetch.getCheckpoint()) {
            return Fetched.newBuilder().setComplete(true).build();
        }
        boolean known = fetch.hasKnownMtime()
                && fetch.getKnownMtime().equals(shown.getMtime())
                && fetch.getSize() == shown.getSize();
        return Fetched.newBuilder().setComplete(!known).setCheckpoint(shown).build();
    }

    private static Fetched failed(Errno errno, String reason) {
        return Fetched.newBuilder()
                .setFailure(new PosixException(errno, reason).toFailure())
                .build();
    }

    private void letAnswer() {
        List.of(second, third, fourth).forEach(TestDesktop::answerHeld);
    }

    private CompletableFuture<QueenReply> secure(long inode) {
        return writer.submit(QueenRequest.newBuilder()
                .setSession(writer.session())
                .setSecureContent(SecureContent.newBuilder().setInode(inode).setNumber(++asked))
                .build());
    }

    /** The file gets a further version that nobody has waited for, and that is nowhere else. */
    private void overtake(long inode) {
        failure = failed(Errno.EIO, "made to fail");
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        hive.advance(awake, CONFIG.timeToCoherence());
        assertThat(hive.inode(inode).secondaries().countCurrent()).isZero();
        failure = Fetched.getDefaultInstance();
    }

    private void rewrite(long inode) {
        TestDesktop other = awake.getFirst();
        other.ok(Ask.open(inode, HANDLE + 1, false, true));
        other.ok(Ask.release(inode, HANDLE + 1, Ask.written(inode, 11)));
    }

    private void lose(TestDesktop desktop) {
        go(desktop);
        awake.getFirst()
                .ok(QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop.name())));
        hive.advance(awake, LEASE);
    }

    private void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
    }

    private List<String> holders(long inode) {
        return hive.inode(inode)
                .secondaries()
                .current()
                .mapToObj(hive.queenBee().state().honeycombs()::numbered)
                .map(honeycomb -> honeycomb.desktop())
                .toList();
    }

    private List<String> promisedHolders(long inode) {
        long promised = Objects.requireNonNull(hive.inode(inode).secondaries().secured())
                .version();
        return hive.inode(inode)
                .secondaries()
                .honeycombs()
                .filter(number -> hive.inode(inode).versionIn(number) == promised)
                .mapToObj(hive.queenBee().state().honeycombs()::numbered)
                .map(honeycomb -> honeycomb.desktop())
                .toList();
    }

    private List<Fetches> requests() {
        return awake.stream()
                .flatMap(desktop -> desktop.received().stream())
                .filter(request -> request.hasFetch())
                .map(request -> request.getFetch())
                .toList();
    }

    private void inodeSettings(long inode, String name, String value) {
        writer.ok(Ask.setXattr(inode, name, value));
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        awake.add(desktop);
        return desktop;
    }

    /** A file that was written. */
    private long createOpen(int factor) {
        return createOpen("f", HANDLE, factor);
    }

    private long createOpen(String name, long handle, int factor) {
        long inode = writer.ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        inodeSettings(inode, "beefs.p_factor", String.valueOf(factor));
        shown = Ask.written(inode, 7);
        return inode;
    }
}
