package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class RecallTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop author = new TestDesktop(hive, "author").registered();
    private final TestDesktop holder = new TestDesktop(hive, "holder").registered();

    @Test
    void shouldRecallTheEntryAndItsDirectorysAttributesFromTheirHolder() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.ok(Ask.attributes(ROOT));

        author.ok(Ask.mkdir(ROOT, "d", 0755));

        assertThat(holder.recalls()).containsExactly(recall(List.of(entry(ROOT, "d")), ROOT));
        assertThat(author.recalls()).isEmpty();
    }

    /** Who has a file open under its lease says so just before he lets go. */
    @Test
    void shouldTakeAnAnswerBehindWhatItsDesktopHasAskedBefore() {
        author.ok(Ask.mknod(ROOT, "f", 0100644));
        long inode = holder.ok(Ask.lookup(ROOT, "f")).getNode().getAttributes().getInode();
        holder.holdOn();
        CompletableFuture<QueenReply> unlinked = author.submit(Ask.unlink(ROOT, "f"));
        assertThat(unlinked).isNotDone();

        CompletableFuture<QueenReply> opened =
                hive.submit(holder.numbered(Ask.open(inode, holder.newHandle(), true, false)), holder);
        holder.letGo();

        assertThat(unlinked).isCompleted();
        assertThat(opened.join().hasFailure()).isFalse();
        assertThat(hive.inode(inode).links()).isZero();
    }

    @Test
    void shouldNotTakeAnAnswerWhoseDesktopWasCutOffBeforeItsOpenWasTaken() {
        author.ok(Ask.mknod(ROOT, "f", 0100644));
        long inode = holder.ok(Ask.lookup(ROOT, "f")).getNode().getAttributes().getInode();
        holder.holdOn();
        CompletableFuture<QueenReply> unlinked = author.submit(Ask.unlink(ROOT, "f"));

        hive.submit(holder.numbered(Ask.open(inode, 7, true, false)), holder);
        hive.queenBee().disconnected(holder);
        holder.letGo();
        assertThat(unlinked).isNotDone();
        holder.register(holder.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(7)));

        assertThat(unlinked).isCompleted();
        assertThat(hive.inode(inode).links()).isZero();
    }

    @Test
    void shouldRecallOnlyWhatIsHeld() {
        holder.ok(Ask.attributes(ROOT));

        author.ok(Ask.mkdir(ROOT, "d", 0755));

        assertThat(holder.recalls()).containsExactly(recall(List.of(), ROOT));
    }

    @Test
    void shouldRecallNothingFromWhoHoldsSomethingElse() {
        long one = makeDirectory("one");
        long other = makeDirectory("other");
        holder.ok(Ask.list(other, 0, 10));

        author.ok(Ask.mkdir(one, "d", 0755));

        assertThat(holder.recalls()).isEmpty();
    }

    @Test
    void shouldNotRecallFromTheAuthorHimself() {
        author.ok(Ask.list(ROOT, 0, 10));
        author.ok(Ask.attributes(ROOT));

        author.ok(Ask.mkdir(ROOT, "d", 0755));

        assertThat(author.recalls()).isEmpty();
    }

    @Test
    void shouldChangeNothingBeforeAllHoldersHaveAnswered() {
        TestDesktop second = new TestDesktop(hive, "second").registered();
        holder.send(Ask.lookup(ROOT, "d"));
        second.send(Ask.lookup(ROOT, "d"));
        holder.holdOn();
        second.holdOn();

        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));

        assertThat(holder.recalls()).containsExactly(recall(List.of(entry(ROOT, "d"))));
        assertThat(second.recalls()).containsExactly(recall(List.of(entry(ROOT, "d"))));
        assertThat(made).isNotDone();
        holder.letGo();
        assertThat(made).isNotDone();
        assertThat(holder.fails(Ask.lookup(ROOT, "d"))).isEqualTo(Errno.ENOENT);
        second.letGo();
        assertThat(made).isCompleted();
        assertThat(made.join().getNode().getAttributesLeased()).isTrue();
        holder.ok(Ask.lookup(ROOT, "d"));
    }

    @Test
    void shouldAnswerReadsMeanwhileWithoutLeasesOnWhatIsRecalled() {
        long directory = makeDirectory("d");
        holder.ok(Ask.list(directory, 0, 10));
        holder.ok(Ask.attributes(directory));
        holder.holdOn();

        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(directory, "new", 0755));

        for (TestDesktop reader : List.of(author, holder)) {
            assertThat(reader.send(Ask.lookup(directory, "new")).getEntryLeased())
                    .isFalse();
            assertThat(reader.ok(Ask.list(directory, 0, 10)).getDirectoryPage().getLeased())
                    .isFalse();
            assertThat(reader.ok(Ask.attributes(directory)).getNode().getAttributesLeased())
                    .isFalse();
            assertThat(reader.ok(Ask.lookup(ROOT, "d")).getEntryLeased())
                    .as("of another directory")
                    .isTrue();
        }
        holder.letGo();
        assertThat(made).isCompleted();
        assertThat(holder.ok(Ask.lookup(directory, "new")).getEntryLeased()).isTrue();
        assertThat(holder.ok(Ask.attributes(directory)).getNode().getAttributesLeased())
                .isTrue();
    }

    @Test
    void shouldEndAttributeLeasesWithTheAnswerButNotTheDirectorysLease() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.ok(Ask.attributes(ROOT));

        author.ok(Ask.mkdir(ROOT, "d", 0755));
        author.ok(Ask.mkdir(ROOT, "e", 0755));

        assertThat(holder.recalls())
                .containsExactly(recall(List.of(entry(ROOT, "d")), ROOT), recall(List.of(entry(ROOT, "e"))));
    }

    @Test
    void shouldRecallNothingOfADirectoryThatWasReleased() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.releaseDirectory(ROOT);

        author.ok(Ask.mkdir(ROOT, "d", 0755));
        author.ok(Ask.mkdir(ROOT, "e", 0755));

        assertThat(holder.recalls()).hasSize(1);
    }

    @Test
    void shouldNotHeedMoreReleasesThanWereRecalled() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.releaseDirectory(ROOT);
        holder.releaseDirectory(ROOT + 1);

        author.ok(Ask.mkdir(ROOT, "d", 0755));
        author.ok(Ask.mkdir(ROOT, "e", 0755));

        assertThat(holder.recalls()).hasSize(2);
    }

    @Test
    void shouldNotTakeAReleaseOfADirectoryThatWasNotRecalled() {
        long other = makeDirectory("other");
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.ok(Ask.list(other, 0, 10));
        holder.releaseDirectory(other);

        author.ok(Ask.mkdir(ROOT, "d", 0755));
        author.ok(Ask.mkdir(other, "e", 0755));

        assertThat(holder.recalls())
                .as("it may have been granted again on the way")
                .hasSize(2);
    }

    @Test
    void shouldRecallBothEntriesAndAllFourInodesOfARename() {
        long from = makeDirectory("from");
        long to = makeDirectory("to");
        long moved = make(from, "f");
        long replaced = make(to, "g");
        List<Long> all = List.of(from, to, moved, replaced);
        all.forEach(inode -> holder.ok(Ask.attributes(inode)));
        all.forEach(inode ->
                holder.ok(Ask.attributes(inode))); // nothing is leased as long as a delegation is being recalled
        holder.ok(Ask.list(from, 0, 10));
        holder.ok(Ask.list(to, 0, 10));

        author.ok(Ask.rename(from, "f", to, "g"));

        assertThat(holder.recalls())
                .containsExactly(recall(List.of(entry(from, "f"), entry(to, "g")), from, moved, to, replaced));
    }

    @Test
    void shouldRecallTheParentOfADirectoryThatMovesToAnother() {
        long from = makeDirectory("from");
        long to = makeDirectory("to");
        long moved = inode(author.ok(Ask.mkdir(from, "d", 0755)));
        holder.ok(Ask.list(moved, 0, 10));

        author.ok(Ask.rename(from, "d", from, "e"));
        author.ok(Ask.rename(from, "e", to, "e"));

        assertThat(holder.recalls()).containsExactly(recall(List.of(entry(moved, ".."))));
    }

    @Test
    void shouldRecallAttributesWhenTheNumberOfNamesChanges() {
        long file = make(ROOT, "f");
        holder.ok(Ask.attributes(file));
        author.ok(Ask.link(file, ROOT, "g"));
        holder.ok(Ask.attributes(file));
        author.ok(Ask.unlink(ROOT, "g"));

        assertThat(holder.recalls()).containsExactly(recall(List.of(), file), recall(List.of(), file));
    }

    @Test
    void shouldRecallAttributesWhenTheyAreSet() {
        long file = make(ROOT, "f");
        holder.ok(Ask.attributes(file));
        author.ok(Ask.chmod(file, 0600));
        holder.ok(Ask.attributes(file));
        author.ok(Ask.setXattr(file, "user.a", "b"));
        holder.ok(Ask.attributes(file));
        author.ok(Ask.removeXattr(file, "user.a"));

        assertThat(holder.recalls()).hasSize(3).containsOnly(recall(List.of(), file));
    }

    @Test
    void shouldSetAnExtendedAttributeOnlyWhenNobodyBelievesAnyMoreThatThereIsNone() {
        long file = make(ROOT, "f");
        assertThat(holder.ok(Ask.attributes(file)).getNode().getWithoutXattrs()).isTrue();
        holder.holdOn();

        CompletableFuture<QueenReply> set = author.submit(Ask.setXattr(file, "user.a", "b"));
        assertThat(set).isNotDone();
        holder.letGo();

        assertThat(set).isCompleted();
        assertThat(holder.ok(Ask.attributes(file)).getNode().getWithoutXattrs()).isFalse();
    }

    @Test
    void shouldRecallAttributesOnlyWhenAFileBecomesDirty() {
        long file = make(ROOT, "f");
        holder.ok(Ask.attributes(file));
        holder.holdOn();

        CompletableFuture<QueenReply> opened = author.submit(Ask.open(file, 1, true, true));
        assertThat(opened).isNotDone();
        holder.letGo();
        assertThat(opened).isCompleted();

        assertThat(holder.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .as("a dirty file has a lease too")
                .isTrue();
        author.ok(Ask.open(file, 2, true, true));
        author.ok(Ask.release(file, 2, status(file, 10)));
        author.ok(Ask.release(file, 1, status(file, 20)));
        assertThat(author.ok(Ask.attributes(file)).getNode().getLayout().getDirty())
                .isFalse();
        assertThat(holder.recalls()).containsExactly(recall(List.of(), file));
    }

    @Test
    void shouldNotKeepAReturningWriterWaiting() {
        long file = make(ROOT, "f");
        holder.ok(Ask.attributes(file));
        holder.holdOn();

        comeBackWriting(file);

        assertThat(holder.recalls()).containsExactly(recall(List.of(), file));
        assertThat(holder.ok(Ask.attributes(file)).getNode().getLayout().getDirty())
                .isTrue();
        assertThat(holder.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .isFalse();
        holder.letGo();
        assertThat(holder.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .isTrue();
    }

    /** The holder's kernel may still have pages of it, which would hide what a third one writes. */
    @Test
    void shouldKeepOthersWaitingWhoWriteAFileThatAReturningWriterHasMadeDirty() {
        long file = make(ROOT, "f");
        holder.ok(Ask.attributes(file));
        holder.holdOn();
        comeBackWriting(file);
        TestDesktop third = new TestDesktop(hive, "third").registered();

        CompletableFuture<QueenReply> opened = third.submit(Ask.open(file, 1, true, true));
        assertThat(opened).isNotDone();
        assertThat(third.submit(Ask.open(file, 2, true, false))).isCompleted();
        holder.letGo();

        assertThat(opened).isCompleted();
    }

    @Test
    void shouldAskAlsoWhoHasJustChangedItAndMayNotHaveTheAnswerYet() {
        long x = make(ROOT, "x");
        long y = make(ROOT, "y");
        holder.ok(Ask.attributes(x));
        holder.ok(Ask.attributes(y));
        holder.holdOn();
        author.submit(Ask.chmod(y, 0600));
        CompletableFuture<QueenReply> changed = author.submit(Ask.chmod(x, 0600));

        assertThat(holder.ok(Ask.chmod(x, 0640)).getNode().getAttributesLeased())
                .as("it is being recalled")
                .isFalse();
        holder.letGoOnce();

        assertThat(changed)
                .as("the holder may still show what was before both changes")
                .isNotDone();
        assertThat(holder.recalls()).containsExactly(recall(List.of(), y), recall(List.of(), x));
        holder.letGo();
        assertThat(changed).isCompleted();
    }

    @Test
    void shouldDecideAnewWhenEverybodyHasLetGo() {
        TestDesktop second = new TestDesktop(hive, "second").registered();
        holder.send(Ask.lookup(ROOT, "d"));
        holder.holdOn();
        CompletableFuture<QueenReply> first = author.submit(Ask.mkdir(ROOT, "d", 0755));
        CompletableFuture<QueenReply> late = second.submit(Ask.mkdir(ROOT, "d", 0755));

        holder.letGo();

        assertThat(first.join().hasFailure()).isFalse();
        assertThat(late.join().getFailure().getErrno()).isEqualTo(Errno.EEXIST.number());
        assertThat(holder.ok(Ask.lookup(ROOT, "d")).getEntryLeased())
                .as("nothing is being recalled any more")
                .isTrue();
    }

    @Test
    void shouldRecallAnewWhatTheEntryStandsForMeanwhile() {
        long replaced = make(ROOT, "f");
        long moved = make(ROOT, "g");
        TestDesktop second = new TestDesktop(hive, "second").registered();
        holder.ok(Ask.attributes(replaced));
        holder.holdOn();
        CompletableFuture<QueenReply> renamed = second.submit(Ask.rename(ROOT, "g", ROOT, "f"));
        CompletableFuture<QueenReply> unlinked = author.submit(Ask.unlink(ROOT, "f"));
        second.holdOn();

        holder.letGo();

        assertThat(renamed).isCompleted();
        assertThat(unlinked).isNotDone();
        assertThat(second.recalls()).as("what its answer has granted").containsExactly(recall(List.of(), moved));
        second.letGo();
        assertThat(unlinked.join().hasFailure()).isFalse();
        assertThat(holder.recalls())
                .as("it has nothing left to be asked for")
                .containsExactly(recall(List.of(), replaced));
        assertThat(author.fails(Ask.lookup(ROOT, "f"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldAskEachHolderInFewMessagesHoweverManyRequestsAreParked() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        List<CompletableFuture<QueenReply>> parked = new ArrayList<>();
        for (int desktop = 0; desktop < 10; desktop++) {
            TestDesktop maker = new TestDesktop(hive, "maker" + desktop).registered();
            for (int i = 0; i < 500; i++) {
                parked.add(maker.submit(Ask.mkdir(ROOT, "d" + desktop + "-" + i, 0755)));
            }
        }
        assertThat(parked).noneMatch(CompletableFuture::isDone);
        assertThat(holder.recalls()).hasSize(1);
        assertThat(report().getWaitingForRecalls()).isEqualTo(5000);

        holder.letGo();

        assertThat(parked).allMatch(CompletableFuture::isDone);
        assertThat(holder.recalls()).hasSize(1 + 5);
        assertThat(report().getWaitingForRecalls()).isZero();
        assertThat(report().getRecalls()).isEqualTo(6);
    }

    @Test
    void shouldParkOnlySoManyOfASessionThatItsConnectionIsStillRead() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        for (int i = 0; i < 512; i++) {
            assertThat(author.submit(Ask.mkdir(ROOT, "d" + i, 0755))).isNotDone();
        }

        CompletableFuture<QueenReply> beyond = author.submit(Ask.mkdir(ROOT, "beyond", 0755));

        assertThatThrownBy(beyond::join).hasMessageContaining("too many requests wait already");
        TestDesktop second = new TestDesktop(hive, "second").registered();
        assertThat(second.submit(Ask.mkdir(ROOT, "other", 0755))).isNotDone();
    }

    @Test
    void shouldGoOnWaitingForTheSameRecallWhenAParkedRequestComesAgain() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        QueenRequest request = author.numbered(Ask.mkdir(ROOT, "d", 0755));
        CompletableFuture<QueenReply> first = author.submit(request);
        author.disconnect();
        author.register(author.register().setAcknowledged(request.getSequence()));

        CompletableFuture<QueenReply> again = author.submit(request);

        assertThat(holder.recalls()).hasSize(1);
        holder.letGo();
        assertThat(again.join().hasFailure()).isFalse();
        assertThat(first).isNotDone();
        assertThat(holder.recalls()).hasSize(1);
    }

    @Test
    void shouldNotCarryOutAParkedRequestWhoseSessionHasLeft() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        CompletableFuture<QueenReply> parked = author.submit(Ask.mkdir(ROOT, "d", 0755));
        author.disconnect();

        holder.letGo();

        assertThat(parked.join().getUnknownSession()).isTrue();
        assertThat(holder.fails(Ask.lookup(ROOT, "d"))).isEqualTo(Errno.ENOENT);
        assertThat(holder.send(Ask.lookup(ROOT, "d")).getEntryLeased()).isTrue();
    }

    @Test
    void shouldCountWhatIsHeld() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.ok(Ask.attributes(ROOT));
        assertThat(report().getLeases()).isEqualTo(2);
    }

    private HiveReport report() {
        return author.send(QueenRequest.newBuilder()
                        .setHiveStatus(HiveStatus.getDefaultInstance())
                        .build())
                .getHiveReport();
    }

    private long makeDirectory(String name) {
        return inode(author.ok(Ask.mkdir(ROOT, name, 0755)));
    }

    /** The author's daemon registers, and says that a program has the file open for writing. */
    private void comeBackWriting(long file) {
        author.register(author.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(file).setHandle(7).setWrite(true)));
    }

    private long make(long parent, String name) {
        return inode(author.ok(Ask.mknod(parent, name, 0100644)));
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    private static Recall recall(List<EntryName> entries, Long... inodes) {
        return Recall.newBuilder()
                .addAllEntries(entries)
                .addAllInodes(List.of(inodes))
                .build();
    }

    private static EntryName entry(long directory, String name) {
        return EntryName.newBuilder()
                .setDirectory(directory)
                .setName(Ask.bytes(name))
                .build();
    }

    private static ReplicaStatus status(long inode, long size) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setSize(size)
                .setObservation(size)
                .build();
    }
}
