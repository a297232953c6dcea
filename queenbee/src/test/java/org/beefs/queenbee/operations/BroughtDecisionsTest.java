package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** Decided changes that come with a registration. */
class BroughtDecisionsTest extends DecidingDesktopTest {
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

    /** A directory of that number may be there, too. */
    @Test
    void shouldCarryOutNothingOfADesktopOfAnotherHive() {
        Register.Builder register = maker.register()
                .setHive(ByteString.copyFromUtf8("another hive"))
                .addDecided(maker.numbered(decided.create(directory, "f", decided.number(), 1)));

        QueenReply answer = maker.send(QueenRequest.newBuilder().setRegister(register));

        assertThat(Errno.of(answer.getFailure().getErrno())).isEqualTo(Errno.EPROTO);
        assertThat(names(directory)).isEmpty();
    }

    /** The open was decided there before, and was not told. */
    @Test
    void shouldKeepWhatIsOpenThoughItsLastNameIsTakenByWhatARegistrationBrings() {
        long replacing = inode(maker.ok(Ask.mknod(directory, "c", 0100644)));
        long open = inode(maker.ok(Ask.mknod(directory, "f", 0100644)));

        Registered registered = maker.register(maker.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(open).setHandle(5))
                .addDecided(maker.numbered(Decided.rename(directory, "c", "f", replacing, open))));

        assertThat(registered.getLostHandlesList()).isEmpty();
        assertThat(names(directory)).containsExactly("f");
        assertThat(maker.ok(Ask.attributes(open)).getNode().getAttributes().getLinks())
                .isZero();
    }

    /** As when a daemon makes a file, removes it, and loses its session while the file is open. */
    @Test
    void shouldKeepWhatWasMadeAndRemovedInAFormerSessionAndIsOpen() {
        long made = decided.number();
        QueenRequest create = decided.create(directory, "f", made, 1).build();
        QueenRequest unlink = Decided.unlink(directory, "f", made).build();

        Registered registered = maker.register(maker.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(made).setHandle(1).setWrite(true))
                .addDecided(create)
                .addDecided(unlink));

        assertThat(registered.getLostHandlesList()).isEmpty();
        assertThat(maker.ok(Ask.attributes(made)).getNode().getAttributes().getLinks())
                .isZero();
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
        maker.disconnect();
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
        maker.disconnect();
        TestDesktop next = new TestDesktop(hive, "maker", 2, 2);

        next.register(next.register().addDecided(make));

        assertThat(names(directory)).isEmpty();
    }

    @Test
    void shouldLetNobodyHaveOpenWhatAKilledDaemonHasMade() {
        long made = decided.number();
        QueenRequest create = maker.numbered(decided.create(directory, "f", made, 1));
        maker.disconnect();
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
}
