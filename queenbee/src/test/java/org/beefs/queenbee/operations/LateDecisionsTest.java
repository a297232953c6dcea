package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What a desktop has decided that lost its delegations by silence, and comes when others have gone on. */
class LateDecisionsTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration SILENCE = Duration.ofSeconds(6);

    private final TestHive hive = new TestHive();
    private final TestDesktop maker = new TestDesktop(hive, "maker");
    private final TestDesktop other = new TestDesktop(hive, "other");
    private final Decided decided = Decided.register(maker);
    private final long directory;

    LateDecisionsTest() {
        other.registered();
        directory = inode(maker.ok(Ask.mkdir(ROOT, "d", 0755)));
    }

    @Test
    void shouldKeepAFileThatComesLateUnderAnotherNameWhenThatIsTaken() {
        long taken = takeNameLate("f");
        long number = decided.number();

        maker.register(maker.register().addDecided(maker.numbered(decided.create(directory, "f", number, 1))));

        shouldBeKeptBeside(taken, number);
    }

    @Test
    void shouldKeepADirectoryThatComesLateUnderAnotherNameWhenThatIsTaken() {
        long taken = takeNameLate("f");
        long number = decided.number();

        maker.register(maker.register().addDecided(maker.numbered(Decided.mkdir(directory, "f", number))));
        maker.ok(decided.create(number, "in it", decided.number(), 2));

        shouldBeKeptBeside(taken, number);
    }

    @Test
    void shouldKeepAFileUnderAnotherNameThatComesWithoutARegistration() {
        long taken = takeNameLate("f");
        maker.registered();
        long number = decided.number();

        Node made = maker.ok(decided.create(directory, "f", number, 1)).getNode();

        assertThat(made.getCreated()).isTrue();
        shouldBeKeptBeside(taken, number);
    }

    /** Before, its desktop would bring it after a loss of power, to be made where it was decided. */
    @Test
    void shouldAnswerWhatIsMadeElsewhereOnlyWhenThatIsOnDisk() {
        long taken = takeNameLate("f");
        maker.registered();
        long number = decided.number();
        hive.holdFlushes();

        CompletableFuture<QueenReply> made = maker.submit(decided.create(directory, "f", number, 1));
        CompletableFuture<QueenReply> removed = maker.submit(Decided.unlink(directory, "f", number));
        assertThat(made).isNotDone();
        assertThat(removed).isNotDone();
        hive.runFlushes();

        assertThat(made.join().getNode().getCreated()).isTrue();
        assertThat(List.of(made.join(), removed.join()))
                .as("neither is kept by its desktop, nor the leases that others may have been asked for meanwhile")
                .allSatisfy(reply -> {
                    assertThat(reply.getSequence()).isZero();
                    assertThat(reply.getTouchedList())
                            .isNotEmpty()
                            .noneMatch(node -> node.getAttributesLeased() || node.getEntriesLeased());
                });
        assertThat(hive.names(directory)).containsOnly(Map.entry("f", taken));
    }

    /** Somebody else does, when the maker has been silent for so long that its delegations are over. */
    private void removeTheDirectoryMeanwhile() {
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.rmdir(ROOT, "d"));
    }

    private void shouldBeKeptBeside(long taken, long number) {
        assertThat(hive.names(directory)).containsEntry("f", taken);
        assertThat(hive.names(directory)).hasSize(2);
        assertThat(hive.names(directory).lastEntry().getKey()).startsWith("f.conflict-maker-");
        assertThat(hive.names(directory).lastEntry().getValue()).isEqualTo(number);
    }

    @Test
    void shouldPutWhatComesLateIntoTheRootWhenItsDirectoryIsGone() {
        removeTheDirectoryMeanwhile();
        long file = decided.number();
        long made = decided.number();

        maker.register(maker.register()
                .addDecided(maker.numbered(decided.create(directory, "f", file, 1)))
                .addDecided(maker.numbered(Decided.mkdir(directory, "e", made))));

        assertThat(inode(other.ok(Ask.lookup(ROOT, "f")))).isEqualTo(file);
        assertThat(inode(other.ok(Ask.lookup(ROOT, "e")))).isEqualTo(made);
        assertThat(hive.inode(file).mode() & 0777).isEqualTo(0600);
        assertThat(hive.inode(made).mode() & 0777).isEqualTo(0700);
    }

    /** The directory that is gone may have been nobody else's to look into. */
    @Test
    void shouldKeepFromOthersWhatComesLateIntoTheRoot() {
        removeTheDirectoryMeanwhile();
        long file = decided.number();
        long made = decided.number();

        maker.register(maker.register()
                .addDecided(maker.numbered(decided.create(directory, "f", file, 1)))
                .addDecided(maker.numbered(Decided.chmod(file, 0664)))
                .addDecided(maker.numbered(Decided.rename(directory, "f", "g", file, 0)))
                .addDecided(maker.numbered(Decided.mkdir(directory, "e", made)))
                .addDecided(maker.numbered(Decided.chmod(made, 0775))));

        assertThat(hive.names(ROOT)).containsEntry("g", file);
        assertThat(hive.inode(file).mode() & 0777).isEqualTo(0600);
        assertThat(hive.inode(made).mode() & 0777).isEqualTo(0700);
    }

    @Test
    void shouldKeepFromOthersWhatComesLateIntoTheRootWithoutARegistration() {
        removeTheDirectoryMeanwhile();
        long file = decided.number();
        maker.registered();

        maker.ok(decided.create(directory, "f", file, 1));
        maker.ok(laterByItsClock(Decided.chmod(file, 0664)));

        assertThat(hive.names(ROOT)).containsEntry("f", file);
        assertThat(hive.inode(file).mode() & 0777)
                .as("it was decided before its answer came, whatever the clock of the desktop shows")
                .isEqualTo(0600);
        maker.ok(Decided.chmod(file, 0664).setAcknowledged(maker.sequence() + 1));
        assertThat(hive.inode(file).mode() & 0777)
                .as("whoever decides it now knows where the file is")
                .isEqualTo(0664);
    }

    private QueenRequest.Builder laterByItsClock(QueenRequest.Builder change) {
        change.getDecisionBuilder()
                .getTimeBuilder()
                .setSeconds(hive.time().now().plus(SILENCE).getEpochSecond());
        return change;
    }

    /** Another daemon cannot know it before she has told it. */
    @Test
    void shouldLetOthersDecideWhoSeesWhatHasComeLateIntoTheRoot() {
        removeTheDirectoryMeanwhile();
        long file = decided.number();
        maker.registered();
        maker.ok(decided.create(directory, "f", file, 1));

        other.ok(Decided.chmod(file, 0664));

        assertThat(hive.inode(file).mode() & 0777).isEqualTo(0664);
    }

    @Test
    void shouldKeepFromOthersWhatIsRenamedLateIntoTheRoot() {
        takeNameLate("f");
        long file = decided.number();
        maker.register(maker.register().addDecided(maker.numbered(decided.create(directory, "f", file, 1))));
        hive.names(directory).forEach((name, _) -> other.ok(Ask.rename(directory, name, ROOT, "was " + name)));
        other.ok(Ask.rmdir(ROOT, "d"));
        assertThat(hive.inode(file).mode() & 0777).isEqualTo(0644);

        maker.ok(Decided.rename(directory, "f", "g", file, 0));

        assertThat(hive.names(ROOT)).containsEntry("g", file);
        assertThat(hive.inode(file).mode() & 0777).isEqualTo(0600);
    }

    @Test
    void shouldKeepWhatAUserHasMadeThoughHeMayNotMakeItInTheRoot() {
        maker.ok(Ask.chmod(directory, 0777));
        maker.as(1000, 1000);
        removeTheDirectoryMeanwhile();
        long file = decided.number();

        maker.register(maker.register().addDecided(maker.numbered(decided.create(directory, "f", file, 1))));

        assertThat(inode(other.ok(Ask.lookup(ROOT, "f")))).isEqualTo(file);
    }

    @Test
    void shouldKeepWhatWasMadeBeforeOthersHaveForbiddenIt() {
        maker.ok(Ask.chmod(directory, 0777));
        maker.as(1000, 1000);
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.chmod(directory, 0755));
        long file = decided.number();

        maker.register(maker.register().addDecided(maker.numbered(decided.create(directory, "f", file, 1))));

        assertThat(hive.queenBee().state().namespace().find(file))
                .as("a program has made it, when it was allowed, and written to it")
                .isNotNull();
    }

    @Test
    void shouldNotUndoLateWhatAnotherHasChangedSince() {
        QueenRequest late = maker.numbered(chmodOfWhatIsKnown(0700));
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.chmod(directory, 0711));

        maker.register(maker.register().addDecided(late));

        assertThat(hive.inode(directory).mode() & 07777).isEqualTo(0711);
    }

    @Test
    void shouldNotUndoWhatAnotherHasChangedSinceByWhatComesWithoutARegistration() {
        QueenRequest.Builder late = chmodOfWhatIsKnown(0700);
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.chmod(directory, 0711));

        maker.ok(late);

        assertThat(hive.inode(directory).mode() & 07777).isEqualTo(0711);
    }

    @Test
    void shouldSetLateWhatNobodyHasChangedSince() {
        QueenRequest late = maker.numbered(chmodOfWhatIsKnown(0700));
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.attributes(directory));

        maker.register(maker.register().addDecided(late));

        assertThat(hive.inode(directory).mode() & 07777).isEqualTo(0700);
    }

    /** Of the directory, as who knows its present attributes decides it. */
    private QueenRequest.Builder chmodOfWhatIsKnown(int mode) {
        Attributes known = maker.ok(Ask.attributes(directory)).getNode().getAttributes();
        QueenRequest.Builder change = Decided.chmod(directory, mode);
        change.getDecisionBuilder().setFormerCtime(known.getCtime());
        return change;
    }

    @Test
    void shouldNotRemoveLateWhatAnotherHasMadeInItsPlace() {
        long made = decided.number();
        maker.ok(Decided.mkdir(directory, "f", made));
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.rmdir(directory, "f"));
        long replaced = inode(other.ok(Ask.mkdir(directory, "f", 0755)));

        maker.register(maker.register().addDecided(maker.numbered(Decided.rmdir(directory, "f", made))));

        assertThat(hive.names(directory)).containsEntry("f", replaced);
    }

    @Test
    void shouldNotRemoveLateWhatAnotherIsChanging() {
        long file = madeAndWritten();

        removeLate(file, () -> other.ok(Ask.open(file, 10, true, true)));

        assertThat(hive.names(directory)).containsEntry("f", file);
    }

    /** Also when the clocks of the desktops where it was made and is written differ. */
    @Test
    void shouldNotRemoveLateWhatAnotherHasWrittenSinceThoughItsCtimeLiesAhead() {
        long file = madeAndWritten();

        removeLate(file, () -> writeElsewhere(file, 20));

        assertThat(hive.names(directory)).containsEntry("f", file);
    }

    @Test
    void shouldRemoveLateWhatAnotherHasOpenedAndNotChanged() {
        long file = madeAndWritten();

        removeLate(file, () -> writeElsewhere(file, 10));

        assertThat(hive.names(directory)).isEmpty();
    }

    private long madeAndWritten() {
        long file = decided.number();
        maker.ok(decided.create(directory, "f", file, 1));
        maker.ok(Ask.release(file, 1, Ask.written(file, 10)));
        return file;
    }

    /** The maker decides to remove the file, and is silent; meanwhile another goes on with it. */
    private void removeLate(long file, Runnable meanwhile) {
        QueenRequest removal = maker.numbered(removalOfWhatIsKnown(file));
        hive.advance(List.of(other), SILENCE);
        meanwhile.run();
        maker.register(maker.register().addDecided(removal));
    }

    /** Leaves it with that size; with the one that it had it is as it was. */
    private void writeElsewhere(long file, long size) {
        other.ok(Ask.open(file, 10, true, true));
        other.ok(Ask.release(file, 10, Ask.written(file, size)));
    }

    private QueenRequest.Builder removalOfWhatIsKnown(long file) {
        QueenRequest.Builder removal = Decided.unlink(directory, "f", file);
        removal.getDecisionBuilder()
                .setFormerCtime(
                        maker.ok(Ask.attributes(file)).getNode().getAttributes().getCtime());
        return removal;
    }

    @Test
    void shouldRemoveWhatWasMadeLateUnderAnotherName() {
        long taken = takeNameLate("f");
        long number = decided.number();

        maker.register(maker.register()
                .addDecided(maker.numbered(Decided.mkdir(directory, "f", number)))
                .addDecided(maker.numbered(Decided.rmdir(directory, "f", number))));

        assertThat(hive.names(directory)).containsEntry("f", taken);
        assertThat(hive.names(directory).keySet())
                .as("programs have removed it")
                .containsExactly("f");
    }

    /** The maker loses its delegations because it is silent, and another makes this name. */
    private long takeNameLate(String name) {
        hive.advance(List.of(other), SILENCE);
        return inode(other.ok(Ask.mkdir(directory, name, 0755)));
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }
}
