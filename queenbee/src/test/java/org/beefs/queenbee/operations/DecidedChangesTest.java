package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes that a desktop has made before it asked. */
class DecidedChangesTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration SILENCE = Duration.ofSeconds(6);
    private static final Duration LEASE = Duration.ofSeconds(40);

    private final TestHive hive = new TestHive();
    private final TestDesktop maker = new TestDesktop(hive, "maker");
    private final TestDesktop other = new TestDesktop(hive, "other");
    private final Decided decided = Decided.register(maker);
    private final Decided others = Decided.register(other);
    private final long directory = inode(maker.ok(Ask.mkdir(ROOT, "d", 0755)));

    @Test
    void shouldMakeAFileAsItWasChosen() {
        long number = decided.number();

        Node made = maker.ok(decided.create(directory, "f", number, 1)).getNode();

        assertThat(made.getCreated()).isTrue();
        assertThat(made.getDelegated()).isTrue();
        shouldBeOf(made.getAttributes(), number);
        assertThat(made.getLayout().getInode()).isEqualTo(number);
        assertThat(made.getLayout().getHoneycomb()).isEqualTo(TestDesktop.uuid("maker"));
        assertThat(made.getLayout().getEpoch())
                .isEqualTo(decided.given().getLayout().getEpoch());
        assertThat(made.getLayout().getDirty()).isTrue();
        Attributes parent = maker.ok(Ask.attributes(directory)).getNode().getAttributes();
        assertThat(parent.getMtime().getSeconds()).isEqualTo(Decided.TIME);
        assertThat(parent.getCtime().getSeconds()).isEqualTo(Decided.TIME);
    }

    @Test
    void shouldMakeADirectoryAsItWasChosen() {
        long number = decided.number();

        Node made = maker.ok(Decided.mkdir(directory, "e", number)).getNode();

        assertThat(made.getDelegated()).isTrue();
        shouldBeOf(made.getAttributes(), number);
    }

    private static void shouldBeOf(Attributes made, long number) {
        assertThat(made.getInode()).isEqualTo(number);
        assertThat(List.of(made.getAtime(), made.getMtime(), made.getCtime(), made.getBtime()))
                .allMatch(time -> time.getSeconds() == Decided.TIME);
    }

    @Test
    void shouldMakeItWhereItWasChosenThoughItWouldGoElsewhereNow() {
        maker.setSpace(1L << 40, 1L << 40);
        maker.ok(QueenRequest.newBuilder().setHeartbeat(maker.heartbeat()));
        assertThat(desktopOf(maker.ok(Ask.create(directory, "usual", 0644, 1)))).isEqualTo("other");

        assertThat(desktopOf(maker.ok(decided.create(directory, "f", decided.number(), 2))))
                .isEqualTo("maker");
    }

    @Test
    void shouldGiveWhatADesktopNeeds() {
        NewInodes given = decided.given();

        assertThat(given.getCount()).isEqualTo(16_384);
        assertThat(given.getLayout().getHoneycomb()).isEqualTo(TestDesktop.uuid("maker"));
        assertThat(given.getLayout().getDirty()).isTrue();
        assertThat(given.getLayout().getReadable()).isTrue();
    }

    @Test
    void shouldLetADesktopWithoutAHoneycombMakeFilesOnAnother() {
        TestDesktop laptop = new TestDesktop(hive, "laptop");
        Decided there = new Decided(laptop.register(laptop.register().clearHoneycomb()));
        NewInodes given = there.given();
        long folder = inode(laptop.ok(Ask.mkdir(ROOT, "l", 0755)));

        Node made = laptop.ok(there.create(folder, "f", there.number(), 1)).getNode();

        assertThat(given.getElsewhere()).isTrue();
        assertThat(made.getLayout().getHoneycomb()).isEqualTo(given.getLayout().getHoneycomb());
        assertThat(made.getLayout().getEpoch()).isEqualTo(given.getLayout().getEpoch());
        assertThat(made.getDelegated()).isTrue();
        assertThat(made.getWriteLeased()).isTrue();
    }

    @Test
    void shouldPutWhatAKilledDaemonHasMadeWhereItWasChosen() {
        TestDesktop laptop = new TestDesktop(hive, "laptop");
        Decided there = new Decided(laptop.register(laptop.register().clearHoneycomb()));
        long folder = inode(laptop.ok(Ask.mkdir(ROOT, "l", 0755)));
        QueenRequest create = there.create(folder, "f", there.number(), 1).build();

        laptop.register(laptop.register().clearHoneycomb().addDecided(create));

        assertThat(desktopOf(laptop.ok(Ask.lookup(folder, "f"))))
                .isEqualTo(there.given().getLayout().getDesktop());
    }

    @Test
    void shouldGiveNumbersAgainWhenFewAreLeft() {
        assertThat(heartbeat(16_000).getCount()).isZero();
        assertThat(heartbeat(100).getCount()).isEqualTo(16_284);
    }

    @Test
    void shouldNotSayThatFilesGoToAHoneycombThatIsFull() {
        maker.setSpace(1L << 40, 1L << 40);

        assertThat(heartbeat(16_384).hasLayout()).isFalse();
    }

    @Test
    void shouldNotUseNumbersTwice() {
        TestDesktop third = new TestDesktop(hive, "third");
        Set<Long> used = new HashSet<>();
        List<NewInodes> gifts = List.of(
                decided.given(), others.given(), Decided.register(third).given(), heartbeat(0), heartbeat(8_000));

        int given = 0;
        for (NewInodes gift : gifts) {
            given += gift.getCount();
            LongStream.range(gift.getFirst(), gift.getFirst() + gift.getCount()).forEach(used::add);
        }

        assertThat(used).hasSize(given);
        assertThat(used).doesNotContain(inode(maker.ok(Ask.mkdir(ROOT, "mine", 0755))));
        assertThat(used).doesNotContain(inode(other.ok(Ask.create(ROOT, "others", 0644, 1))));
    }

    @Test
    void shouldNotUseNumbersTwiceAfterARestart() {
        NewInodes given = decided.given();

        hive.restart();
        NewInodes anew = Decided.register(maker).given();
        other.registered();
        long made = inode(other.ok(Ask.mkdir(ROOT, "e", 0755)));

        assertThat(List.of(anew.getFirst(), made)).allMatch(number -> number >= given.getFirst() + given.getCount());
    }

    /** Each of a file and a directory that are there, as it is made once and again. */
    static Stream<BiFunction<DecidedChangesTest, Long, QueenRequest.Builder>> kinds() {
        return Stream.of(
                (test, spare) -> test.decided.create(test.directory, "new", spare, 7),
                (test, spare) -> Decided.mkdir(test.directory, "new", spare),
                (test, spare) -> Decided.unlink(test.directory, "f", test.named("f")),
                (test, spare) -> Decided.rmdir(test.directory, "e", test.named("e")),
                (test, spare) -> Decided.rename(test.directory, "f", "h", test.named("f"), 0),
                (test, spare) -> Decided.chmod(test.named("e"), 0700),
                (test, spare) -> Decided.chmod(test.named("f"), 0600));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNotBeHarmedByWhatIsMadeTwice(BiFunction<DecidedChangesTest, Long, QueenRequest.Builder> kind) {
        maker.ok(decided.create(directory, "f", decided.number(), 1));
        maker.ok(Decided.mkdir(directory, "e", decided.number()));
        QueenRequest change = kind.apply(this, decided.number()).build();
        maker.ok(change.toBuilder());
        List<String> once = contents();

        QueenReply again = maker.send(maker.numbered(change.toBuilder()));

        assertThat(again.hasFailure()).as("%s", again).isFalse();
        assertThat(contents()).isEqualTo(once);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNotBeHarmedByWhatIsMadeAgainInAnotherSession(
            BiFunction<DecidedChangesTest, Long, QueenRequest.Builder> kind) {
        maker.ok(decided.create(directory, "f", decided.number(), 1));
        maker.ok(Decided.mkdir(directory, "e", decided.number()));
        QueenRequest change = kind.apply(this, decided.number()).build();
        maker.ok(change.toBuilder());
        List<String> once = contents();
        long before = maker.session();

        hive.advance(List.of(other), LEASE);
        maker.register(maker.register().addDecided(change));
        assertThat(maker.session()).isNotEqualTo(before);
        assertThat(contents()).isEqualTo(once);
        QueenReply again = maker.send(maker.numbered(change.toBuilder()));

        assertThat(again.hasFailure()).as("%s", again).isFalse();
        assertThat(contents()).isEqualTo(once);
    }

    @Test
    void shouldNotUndoWhatAnotherHasChangedSinceItWasMade() {
        long made = inode(maker.ok(Decided.mkdir(directory, "e", decided.number())));
        QueenRequest change = Decided.chmod(made, 0700).build();
        hive.advance(List.of(other), LEASE);
        maker.register(maker.register().addDecided(change));
        other.ok(Ask.chmod(made, 0711));

        maker.send(maker.numbered(change.toBuilder()));

        assertThat(hive.inode(made).mode() & 07777)
                .as("it was brought with the registration, so that it is made already")
                .isEqualTo(0711);
    }

    @Test
    void shouldNotBringBackAFileThatAnotherHasRemovedSinceItWasMade() {
        long number = decided.number();
        QueenRequest change = decided.create(directory, "f", number, 1).build();
        maker.ok(change.toBuilder());
        hive.advance(List.of(other), LEASE);
        other.ok(Ask.unlink(directory, "f"));
        maker.registered();

        maker.send(maker.numbered(change.toBuilder()));

        assertThat(hive.queenBee().state().namespace().find(number))
                .as("a number whose replica was dropped is not used again")
                .isNull();
        assertThat(other.fails(Ask.lookup(directory, "f"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldNotBringBackWhatAnotherHasRemovedBeforeSheWasStartedAgain() {
        long file = decided.number();
        long folder = decided.number();
        QueenRequest create = decided.create(directory, "f", file, 1).build();
        QueenRequest make = Decided.mkdir(directory, "e", folder).build();
        maker.ok(create.toBuilder());
        maker.ok(make.toBuilder());
        hive.advance(List.of(other), LEASE);
        other.ok(Ask.unlink(directory, "f"));
        other.ok(Ask.rmdir(directory, "e"));
        hive.restart();
        other.registered();
        TestDesktop next = new TestDesktop(hive, "maker", 2, 2);

        next.register(next.register().addDecided(create).addDecided(make));

        assertThat(names(directory)).isEmpty();
        assertThat(hive.queenBee().state().namespace().find(file))
                .as("a number whose replica was dropped is not used again")
                .isNull();
    }

    @Test
    void shouldNotBringBackADirectoryThatAnotherHasRemovedSinceItWasMade() {
        long number = decided.number();
        QueenRequest change = Decided.mkdir(directory, "e", number).build();
        maker.ok(change.toBuilder());
        hive.advance(List.of(other), LEASE);
        other.ok(Ask.rmdir(directory, "e"));

        maker.register(maker.register().addDecided(change));

        assertThat(names(directory)).isEmpty();
    }

    @Test
    void shouldNotHaveAReplicaRemovedOfAFileThatItHasNotBeenAskedFor() {
        long number = decided.number();

        assertThat(toldToDrop(maker, number))
                .as("programs have made it, and written to it")
                .isEmpty();
    }

    @Test
    void shouldNotHaveAReplicaRemovedOfAFileThatWasLostWithHerPower() {
        MemoryStateStore store = new MemoryStateStore();
        TestHive lossy = new TestHive(store);
        TestDesktop desktop = new TestDesktop(lossy, "maker");
        Decided gift = Decided.register(desktop);
        desktop.ok(Ask.mkdir(ROOT, "before", 0755));
        desktop.ok(Ask.sync());
        lossy.holdFlushes();
        long number = gift.number();
        desktop.ok(gift.create(ROOT, "f", number, 1));

        store.losePower(_ -> 0);
        TestDesktop again = new TestDesktop(new TestHive(store), "maker", 2, 2).holding(number);
        again.register(again.register());

        assertThat(toldToDrop(again, number)).as("it is the only copy").isEmpty();
    }

    private static List<Long> toldToDrop(TestDesktop desktop, long replica) {
        QueenReply told = desktop.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(ReplicaName.newBuilder().setInode(replica))));
        return told.getDrop().getReplicasList().stream()
                .map(ReplicaName::getInode)
                .toList();
    }

    @Test
    void shouldNotBringBackWhatTheDesktopItselfHasRemoved() {
        long number = decided.number();
        QueenRequest change = Decided.mkdir(directory, "e", number).build();
        maker.ok(change.toBuilder());
        QueenRequest removal = Decided.rmdir(directory, "e", number).build();
        maker.ok(removal.toBuilder());
        hive.advance(List.of(other), LEASE);

        maker.register(maker.register().addDecided(change).addDecided(removal));
        maker.send(maker.numbered(change.toBuilder()));
        assertThat(names(directory)).as("others would see it for a while").isEmpty();
        maker.send(maker.numbered(removal.toBuilder()));

        assertThat(names(directory)).isEmpty();
    }

    @Test
    void shouldCarryOutWhatARegistrationBringsBeforeOthersGoOn() {
        long made = decided.number();
        maker.holdOn();
        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(directory, "f"));
        CompletableFuture<QueenReply> listed = other.submit(Ask.list(directory, 0, 10));
        assertThat(List.of(found, listed)).noneMatch(CompletableFuture::isDone);

        maker.register(maker.register()
                .addDecided(maker.numbered(decided.create(directory, "f", made, 1)))
                .addDecided(maker.numbered(Decided.mkdir(directory, "e", decided.number())))
                .addDecided(maker.numbered(Decided.chmod(made, 0400))));

        assertThat(inode(found.join())).isEqualTo(made);
        assertThat(found.join().getNode().getAttributes().getMode() & 07777).isEqualTo(0400);
        assertThat(listed.join().getDirectoryPage().getEntriesList())
                .extracting(entry -> entry.getName().toStringUtf8())
                .containsExactly("f", "e");
    }

    @Test
    void shouldAnswerWhatComesAgainAfterARegistrationAsItDidThen() {
        QueenRequest create = maker.numbered(decided.create(directory, "f", decided.number(), 1));
        QueenRequest removal = maker.numbered(Decided.rmdir(ROOT, "d", directory));
        Register.Builder register = maker.register().setAcknowledged(create.getSequence());
        maker.register(register.addDecided(create).addDecided(removal));
        List<String> before = contents();

        QueenReply made = maker.send(create);
        QueenReply refused = maker.send(removal);

        assertThat(made.hasFailure()).isFalse();
        assertThat(made.getNode().getCreated()).isTrue();
        assertThat(inode(made)).isEqualTo(create.getDecision().getInode());
        assertThat(made.getNode().getDelegated()).isFalse();
        assertThat(Errno.of(refused.getFailure().getErrno())).isEqualTo(Errno.ENOTEMPTY);
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void shouldCarryOutAllThatWasNeverSentBefore() {
        QueenRequest first = Decided.mkdir(directory, "e", decided.number()).build();
        QueenRequest second = Decided.mkdir(directory, "g", decided.number()).build();

        maker.register(maker.register().addDecided(first).addDecided(second));
        assertThat(names(directory)).containsExactly("e", "g");
        maker.register(maker.register()
                .addDecided(Decided.mkdir(directory, "h", decided.number()).build()));

        assertThat(names(directory)).as("no number is no number").containsExactly("e", "g", "h");
    }

    @Test
    void shouldMakeAFileThatARegistrationBringsAfterARestart() {
        long made = decided.number();
        QueenRequest create = maker.numbered(decided.create(directory, "f", made, 1));
        hive.restart();
        other.registered();
        List<CompletableFuture<QueenReply>> looks = Stream.of(
                        Ask.lookup(directory, "f"), Ask.list(directory, 0, 10), Ask.attributes(directory))
                .map(other::submit)
                .toList();
        assertThat(looks).noneMatch(CompletableFuture::isDone);

        maker.register(maker.register().setAcknowledged(create.getSequence()).addDecided(create));
        hive.run();

        assertThat(looks).allMatch(CompletableFuture::isDone);
        assertThat(looks.getFirst().join().hasFailure()).isFalse();
        assertThat(inode(looks.getFirst().join())).isEqualTo(made);
        assertThat(looks.get(1).join().getDirectoryPage().getEntriesCount()).isOne();
        QueenReply again = maker.send(create);
        assertThat(again.hasFailure()).as("%s", again).isFalse();
        assertThat(inode(again)).isEqualTo(made);
    }

    @Test
    void shouldCarryOutWhatARegistrationBringsAfterARestart() {
        QueenRequest make = maker.numbered(Decided.mkdir(directory, "e", decided.number()));
        hive.restart();
        other.registered();
        CompletableFuture<QueenReply> look = other.submit(Ask.lookup(directory, "e"));
        CompletableFuture<QueenReply> listed = other.submit(Ask.list(directory, 0, 10));
        assertThat(List.of(look, listed)).noneMatch(CompletableFuture::isDone);

        maker.register(maker.register().setAcknowledged(make.getSequence()).addDecided(make));

        assertThat(inode(look.join())).isEqualTo(make.getDecision().getInode());
        assertThat(listed.join().getDirectoryPage().getEntriesCount()).isOne();
        assertThat(inode(maker.send(make))).isEqualTo(make.getDecision().getInode());
    }

    @Test
    void shouldLetOthersGoOnAfterARestartWhenNobodyCachesAnythingAnyMore() {
        hive.restart();
        other.registered();
        CompletableFuture<QueenReply> look = other.submit(Ask.attributes(directory));
        assertThat(look).isNotDone();

        hive.advance(List.of(other), SILENCE);

        assertThat(look).isCompleted();
    }

    @Test
    void shouldMakeAFileThatARegistrationBringsInANewSession() {
        long made = decided.number();
        QueenRequest create = decided.create(directory, "f", made, 1).build();
        hive.advance(List.of(other), LEASE);

        maker.register(maker.register().addDecided(create));

        assertThat(names(directory)).containsExactly("f");
        assertThat(hive.inode(made).honeycomb()).isEqualTo(hive.number("maker"));
    }

    @Test
    void shouldMakeWhatAKilledDaemonHasLeft() {
        long folder = decided.number();
        long made = decided.number();
        QueenRequest first = maker.numbered(Decided.mkdir(directory, "e", folder));
        QueenRequest second = maker.numbered(decided.create(folder, "f", made, 1));
        TestDesktop next = new TestDesktop(hive, "maker", 2, 2).holding(made);

        next.register(next.register().addDecided(first).addDecided(second));

        assertThat(names(directory)).containsExactly("e");
        assertThat(names(folder)).containsExactly("f");
        assertThat(hive.inode(made).honeycomb()).isEqualTo(hive.number("maker"));
        assertThat(toldToDrop(next, made)).isEmpty();
    }

    @Test
    void shouldNotMakeWhatAKilledDaemonWasAnswered() {
        QueenRequest make = maker.numbered(Decided.mkdir(directory, "e", decided.number()));
        maker.send(make);
        other.ok(Ask.rmdir(directory, "e"));
        TestDesktop next = new TestDesktop(hive, "maker", 2, 2);

        next.register(next.register().addDecided(make));

        assertThat(names(directory)).isEmpty();
    }

    @Test
    void shouldLetNobodyHaveOpenWhatAKilledDaemonHasMade() {
        long made = decided.number();
        QueenRequest create = maker.numbered(decided.create(directory, "f", made, 1));
        TestDesktop next = new TestDesktop(hive, "maker", 2, 2).holding(made);
        next.replica(made, ReplicaStatus.newBuilder().setSize(10).setObservation(1));

        next.register(next.register().addDecided(create));
        next.inventoried();
        hive.advance(List.of(next, other), SILENCE);

        Session session =
                Objects.requireNonNull(hive.queenBee().state().sessions().ofDesktop("maker"));
        assertThat(session.handles()).as("nobody will ever close it").isEmpty();
        assertThat(hive.inode(made).dirty()).isFalse();
        assertThat(hive.inode(made).size()).isEqualTo(10);
    }

    private NewInodes heartbeat(int left) {
        return maker.ok(QueenRequest.newBuilder().setHeartbeat(maker.heartbeat().setNumbersLeft(left)))
                .getNewInodes();
    }

    private List<String> names(long parent) {
        return List.copyOf(hive.names(parent).keySet());
    }

    private long named(String name) {
        return Objects.requireNonNull(hive.names(directory).get(name));
    }

    /** What the directory is like, and what is in it. */
    private List<String> contents() {
        return Stream.concat(
                        Stream.of(text("", hive.inode(directory))),
                        hive.names(directory).entrySet().stream()
                                .map(entry -> text(entry.getKey(), hive.inode(entry.getValue()))))
                .toList();
    }

    private static String text(String name, Inode inode) {
        return "%s: %d mode %o links %d times %d %d %d %d"
                .formatted(
                        name,
                        inode.number(),
                        inode.mode(),
                        inode.links(),
                        inode.atime(),
                        inode.mtime(),
                        inode.ctime(),
                        inode.btime());
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    private static String desktopOf(QueenReply reply) {
        return reply.getNode().getLayout().getDesktop();
    }
}
