package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetLock;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** The queen-bee loses her power, and desktops know more than she. */
class LostChangesTest extends LosingPowerTest {
    @Test
    void shouldMakeChangesAgainAsTheyWereAtFirst() {
        Node folder = change(one, Ask.mkdir(ROOT, "folder", 0700)).getNode();
        Node link = change(one, Ask.symlink(inode(folder), "link", "target")).getNode();
        change(one, Ask.setXattr(inode(folder), "user.name", "value"));
        Attributes before = look(inode(folder));
        hive.advance(Duration.ofSeconds(1));

        losePower();
        come(one);
        come(two);

        assertThat(look(inode(folder))).isEqualTo(before);
        assertThat(lookUp(inode(folder), "link")).isEqualTo(link.getAttributes());
        assertThat(one.ok(Ask.getXattr(inode(folder), "user.name")).getXattr()).isEqualTo(Ask.bytes("value"));
    }

    @Test
    void shouldPutAFileWhereItsContentIs() {
        tellSpace(one, 1000, 1000);
        Node made = change(one, Ask.create(ROOT, "file", 0600, 7)).getNode();
        assertThat(made.getLayout().getDesktop()).isEqualTo("two");
        tellSpace(one, 1L << 40, 0);

        losePower();
        CompletableFuture<QueenReply> back = begin(
                one,
                register(one)
                        .addOpenFiles(OpenFile.newBuilder()
                                .setInode(inode(made))
                                .setHandle(7)
                                .setWrite(true)));
        come(two);

        assertThat(back.join().getRegistered().getLostHandlesList()).isEmpty();
        Node again = one.ok(Ask.lookup(ROOT, "file")).getNode();
        assertThat(again.getLayout().getHoneycomb()).isEqualTo(made.getLayout().getHoneycomb());
        assertThat(again.getLayout().getEpoch()).isEqualTo(made.getLayout().getEpoch());
        assertThat(again.getLayout().getDirty()).isTrue();
    }

    @Test
    void shouldMakeAgainWhatADesktopHadDecidedAsItWas() {
        Decided decided = new Decided(begin(one, register(one)).join().getRegistered());
        long folder = decided.number();
        long file = decided.number();
        change(one, Decided.mkdir(ROOT, "folder", folder));
        change(one, decided.create(folder, "file", file, 7));
        change(one, Decided.chmod(file, 0400));
        change(one, Decided.mkdir(folder, "gone", decided.number()));
        change(one, Decided.rmdir(folder, "gone", lookUp(folder, "gone").getInode()));
        List<Attributes> before = List.of(look(folder), look(file));

        losePower();
        come(one);
        come(two);

        assertThat(lookUp(ROOT, "folder").getInode()).isEqualTo(folder);
        assertThat(lookUp(folder, "file").getInode()).isEqualTo(file);
        assertThat(one.fails(Ask.lookup(folder, "gone"))).isEqualTo(Errno.ENOENT);
        assertThat(List.of(look(folder), look(file))).isEqualTo(before);
    }

    @Test
    void shouldMakeWhatIsNotAnsweredYetAfterWhatIsLost() {
        Decided decided = new Decided(begin(one, register(one)).join().getRegistered());
        long folder = decided.number();
        long made = decided.number();
        change(one, Decided.mkdir(ROOT, "folder", folder));
        QueenRequest unanswered = one.numbered(Decided.mkdir(folder, "made", made));

        losePower();
        begin(one, register(one).addDecided(unanswered));
        come(two);

        assertThat(lookUp(folder, "made").getInode()).isEqualTo(made);
    }

    @Test
    void shouldMakeChangesOfSeveralDesktopsAgainInTheirOrder() {
        Node folder = change(two, Ask.mkdir(ROOT, "folder", 0755)).getNode();
        Node file = change(one, Ask.mknod(inode(folder), "before", 0100644)).getNode();
        change(two, Ask.rename(inode(folder), "before", ROOT, "after"));
        change(one, Ask.rmdir(ROOT, "folder"));

        losePower();
        CompletableFuture<QueenReply> first = begin(one, register(one));
        assertThat(first).as("the registration of one, before two has come").isNotDone();
        come(two);

        assertThat(first.join().hasRegistered()).isTrue();
        assertThat(lookUp(ROOT, "after").getInode()).isEqualTo(inode(file));
        assertThat(two.fails(Ask.lookup(ROOT, "folder"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldLetAFileBeOpenStillThatAnotherDesktopHasMadeLast() {
        long made = inode(change(one, Ask.mknod(ROOT, "made", 0100644)).getNode());
        two.ok(Ask.open(made, 1, false, false));

        losePower();
        OpenFile opened = OpenFile.newBuilder().setInode(made).setHandle(1).build();
        CompletableFuture<QueenReply> first = begin(two, register(two).addOpenFiles(opened));
        come(one);

        assertThat(first.join().getRegistered().getLostHandlesList()).isEmpty();
    }

    @Test
    void shouldLetNobodyWaitForWhoHasAFileOpenThatHeHasJustDecidedToMake() {
        Decided decided = new Decided(begin(one, register(one)).join().getRegistered());
        long made = decided.number();
        QueenRequest unanswered = one.numbered(Decided.mkdir(ROOT, "made", made));
        OpenFile opened = OpenFile.newBuilder().setInode(made).setHandle(1).build();

        hive.restart();
        begin(one, register(one).addDecided(unanswered).addOpenFiles(opened));

        assertThat(hive.queenBee().state().lostChanges().isPending()).isFalse();
    }

    @Test
    void shouldKeepNoneOfThemWhenTheyAreMadeAgain() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));
        losePower();
        come(one);
        come(two);

        assertThat(hive.queenBee().state().lostChanges().takeAll()).isEmpty();
    }

    @Test
    void shouldLetNobodyLookBeforeAllHaveComeWhoMayBringSome() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));

        losePower();
        begin(two, register(two));
        CompletableFuture<QueenReply> look = two.submit(Ask.lookup(ROOT, "folder"));
        assertThat(look).as("before one has come").isNotDone();
        come(one);

        assertThat(look.join().hasNode()).isTrue();
    }

    @Test
    void shouldExpectNoneAfterTheEndOfHerProcessAlone() {
        hive.restart();
        assertThat(hive.queenBee().state().lostChanges().isPending()).isFalse();

        losePower();
        assertThat(hive.queenBee().state().lostChanges().isPending()).isTrue();
    }

    @Test
    void shouldExpectSomeStillWhenHerProcessEndsBeforeAllHaveCome() {
        losePower();
        hive.restart();
        assertThat(hive.queenBee().state().lostChanges().isPending()).isTrue();

        come(one);
        come(two);
        hive.restart();

        assertThat(hive.queenBee().state().lostChanges().isPending()).isFalse();
    }

    @Test
    void shouldNotOpenWhatHasTakenThePlaceOfALostFile() {
        Node former = one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode();
        flush();
        one.ok(Ask.rename(ROOT, "file", ROOT, "elsewhere")); // its answer is lost, so that nobody brings it
        change(two, Ask.create(ROOT, "file", 0600, 7));

        losePower();
        try (LogLines log = new LogLines(LostChangeRunner.class.getName())) {
            come(one);
            come(two);

            assertThat(log.warnings()).contains("CREATE of two cannot be made again: the name exists");
        }
        assertThat(lookUp(ROOT, "file").getInode()).isEqualTo(inode(former));
    }

    @Test
    void shouldServeNobodyUntilTheyAreOnDiskAgain() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));

        losePower();
        begin(two, register(two));
        hive.holdFlushes();
        CompletableFuture<QueenReply> back = begin(one, register(one));
        CompletableFuture<QueenReply> look = two.submit(Ask.lookup(ROOT, "folder"));
        assertThat(back).isNotDone();
        assertThat(look).isNotDone();

        flush();

        assertThat(back).isDone();
        assertThat(look.join().hasFailure()).isFalse();
        losePower();
        begin(two, register(two));
        CompletableFuture<QueenReply> again = two.submit(Ask.lookup(ROOT, "folder"));
        hive.advance(Duration.ofSeconds(5)); // then nobody has decided anything any more
        assertThat(again.join().hasNode()).isTrue();
    }

    @Test
    void shouldNotWaitForADesktopThatStaysAway() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));
        losePower();
        CompletableFuture<QueenReply> back = begin(one, register(one));
        assertThat(back).isNotDone();

        hive.advance(GRACE);
        flush();

        assertThat(back.join().hasRegistered()).isTrue();
        assertThat(lookUp(ROOT, "folder").getLinks()).isEqualTo(2);
    }

    @Test
    void shouldBringWhatIsMadeAgainToDiskAtOnceHoweverLongTheIntervalIs() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));
        store.losePower(_ -> 0);
        TestHive patient = new TestHive(store, TestConfig.withFlushInterval(Duration.ofMinutes(1)));
        patient.holdFlushes();
        CompletableFuture<QueenReply> back = new TestDesktop(patient, "one")
                .submit(QueenRequest.newBuilder().setRegister(register(one)).build());

        patient.advance(GRACE); // two stays away
        patient.runFlushes();

        assertThat(back).isDone();
        assertThat(back.join().hasRegistered()).isTrue();
    }

    @Test
    void shouldNotMakeAgainWhatComesTooLate() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));
        losePower();
        begin(two, register(two));
        hive.advance(GRACE);
        two.ok(Ask.symlink(ROOT, "folder", "elsewhere"));

        come(one);

        assertThat(one.fails(Ask.rmdir(ROOT, "folder"))).isEqualTo(Errno.ENOTDIR);
    }

    @Test
    void shouldMakeTheOthersAgainWhenOneCannotBe() {
        Node folder = change(two, Ask.mkdir(ROOT, "folder", 0755)).getNode();
        change(one, Ask.mkdir(inode(folder), "inside", 0755));
        change(one, Ask.mkdir(ROOT, "beside", 0755));

        losePower();
        known.removeIf(change -> change.by() == two); // it has forgotten
        come(one);
        come(two);

        assertThat(one.fails(Ask.lookup(ROOT, "folder"))).isEqualTo(Errno.ENOENT);
        assertThat(lookUp(ROOT, "beside").getLinks()).isEqualTo(2);
    }

    @Test
    void shouldGrantLocksAgain() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        flush();
        SetLock.Builder lock = Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9);
        change(two, Ask.set(lock));
        change(two, Ask.set(Ask.lock(file, 1, LockMode.UNLOCKED, 5, 9)));
        change(one, Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 5, 9)));

        losePower();
        come(one);
        come(two);

        assertThat(one.fails(Ask.set(Ask.lock(file, 1, LockMode.SHARED, 4, 4)))).isEqualTo(Errno.EAGAIN);
        assertThat(two.fails(Ask.set(Ask.lock(file, 1, LockMode.SHARED, 5, 5)))).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldTellOfALockThatIsNotGrantedAgain() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        two.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));
        flush();
        two.ok(Ask.set(Ask.lock(file, 1, LockMode.UNLOCKED, 0, 9)));
        change(one, Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));

        losePower();
        try (LogLines log = new LogLines(LostChangeRunner.class.getName())) {
            come(one);
            hive.advance(GRACE);

            assertThat(log.warnings())
                    .containsExactly(
                            "SET_LOCK of one cannot be made again: another owner has a lock there",
                            "the queen-bee's power failed before 1 changes that desktops know of were on disk: 0 of"
                                    + " them were made again");
        }
    }

    @Test
    void shouldLetNobodyLockBeforeAllAreBack() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        flush();
        change(one, Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));

        losePower();
        begin(two, register(two));
        CompletableFuture<QueenReply> wanted = two.submit(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));
        assertThat(wanted).isNotDone();
        come(one);

        assertThat(wanted.join().getFailure().getErrno()).isEqualTo(Errno.EAGAIN.number());
    }

    @Test
    void shouldChangeNothingWhenNothingIsLost() {
        change(one, Ask.mkdir(ROOT, "folder", 0755));
        hive.restart();

        assertThat(begin(one, register(one)))
                .as("the other desktop has not come")
                .isDone();
        come(two);
        assertThat(one.ok(Ask.rmdir(ROOT, "folder")).hasFailure()).isFalse();
    }

    @Test
    void shouldMakeNothingAgainOnAnOlderCopyOfTheState() {
        MemoryStateStore copy = store.copy();
        one.ok(Ask.mkdir(ROOT, "later", 0755));
        flush();
        durable = one.ok(Ask.lookup(ROOT, "later")).getDurableSequence();
        change(one, Ask.mkdir(ROOT, "folder", 0755));

        TestHive older = new TestHive(copy);
        TestDesktop back = new TestDesktop(older, "one");
        back.register(register(one).clearHoneycomb().clearAcknowledged());
        new TestDesktop(older, "two").registered();

        assertThat(back.fails(Ask.lookup(ROOT, "folder"))).isEqualTo(Errno.ENOENT);
    }

    private static void tellSpace(TestDesktop desktop, long capacity, long used) {
        desktop.setSpace(capacity, used);
        desktop.ok(QueenRequest.newBuilder().setHeartbeat(desktop.heartbeat()));
    }
}
