package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a session makes it may change before it asks, until others ask for it. */
class DelegationTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop maker = new TestDesktop(hive, "maker");
    private final TestDesktop other = new TestDesktop(hive, "other");
    private final Decided decided = Decided.register(maker);
    private final long directory;
    private final long file;

    DelegationTest() {
        other.registered();
        directory = inode(mkdir(maker, ROOT, "d"));
        file = inode(create(maker, directory, "f"));
    }

    @Test
    void shouldDelegateADirectoryThatIsMade() {
        assertThat(mkdir(maker, ROOT, "e").getDelegated()).isTrue();
    }

    @Test
    void shouldDelegateWhatIsMadeInADelegatedDirectory() {
        assertThat(create(maker, directory, "g").getDelegated()).isTrue();
        assertThat(mkdir(maker, directory, "e").getDelegated()).isTrue();
    }

    @Test
    void shouldNotDelegateAFileInADirectoryThatOthersLookAt() {
        other.ok(Ask.list(ROOT, 0, 10));
        assertThat(create(maker, ROOT, "g").getDelegated()).isFalse();

        other.ok(Ask.lookup(directory, "f"));

        assertThat(create(maker, directory, "g").getDelegated()).isFalse();
    }

    @Test
    void shouldNotDelegateAFileThatWasThereBefore() {
        assertThat(create(maker, directory, "f").getDelegated()).isFalse();
    }

    @Test
    void shouldNotDelegateWhatHasReplicationSettingsOfItsOwn() {
        maker.ok(Ask.setXattr(directory, "beefs.replicas", "2"));

        assertThat(mkdir(maker, directory, "e").getDelegated()).isFalse();
        assertThat(create(maker, directory, "g").getDelegated()).isFalse();
    }

    @Test
    void shouldNotDelegateAgainWithAnAnswerThatIsRepeated() {
        QueenRequest make = maker.numbered(Ask.mkdir(ROOT, "e", 0755));
        assertThat(maker.send(make).getNode().getDelegated()).isTrue();

        assertThat(maker.send(make).getNode().getDelegated()).isFalse();
    }

    @Test
    void shouldAskNobodyForWhatTheHolderAsks() {
        maker.ok(Ask.lookup(directory, "f"));
        maker.ok(Ask.chmod(file, 0600));
        maker.ok(Ask.unlink(directory, "f"));
        maker.ok(Ask.rmdir(ROOT, "d"));

        assertThat(maker.recalls()).isEmpty();
        assertThat(other.recalls()).isEmpty();
    }

    /** Each with the inode that it names: the directory, or the file in it. */
    static Stream<BiFunction<Long, Long, QueenRequest.Builder>> requestsAboutTheDirectory() {
        return Stream.of(
                (directory, file) -> Ask.lookup(ROOT, "d"),
                (directory, file) -> Ask.lookup(directory, "f"),
                (directory, file) -> Ask.list(directory, 0, 10),
                (directory, file) -> Ask.attributes(directory),
                (directory, file) -> Ask.access(directory, 4),
                (directory, file) -> Ask.chmod(directory, 0700),
                (directory, file) -> Ask.setXattr(directory, "user.a", "b"),
                (directory, file) -> Ask.create(directory, "g", 0644, 10),
                (directory, file) -> Ask.mkdir(directory, "g", 0755),
                (directory, file) -> Ask.symlink(directory, "g", "there"),
                (directory, file) -> Ask.unlink(directory, "f"),
                (directory, file) -> Ask.rename(ROOT, "d", ROOT, "e"),
                (directory, file) -> Ask.rename(directory, "f", ROOT, "g"));
    }

    @ParameterizedTest
    @MethodSource("requestsAboutTheDirectory")
    void shouldRecallADirectoryBeforeOthersAreAnswered(BiFunction<Long, Long, QueenRequest.Builder> request) {
        shouldWaitForTheRecallOf(directory, request);
    }

    static Stream<BiFunction<Long, Long, QueenRequest.Builder>> requestsAboutTheFile() {
        return Stream.of(
                (directory, file) -> Ask.lookup(directory, "f"),
                (directory, file) -> Ask.attributes(file),
                (directory, file) -> Ask.access(file, 4),
                (directory, file) -> Ask.open(file, 10, true, false),
                (directory, file) -> Ask.open(file, 10, true, true),
                (directory, file) -> Ask.create(directory, "f", 0644, 10),
                (directory, file) -> Ask.chmod(file, 0600),
                (directory, file) -> Ask.setXattr(file, "user.a", "b"),
                (directory, file) -> Ask.removeXattr(file, "beefs.replicas"),
                (directory, file) -> Ask.getXattr(file, "beefs.replicas"),
                (directory, file) -> Ask.link(file, ROOT, "g"),
                (directory, file) -> Ask.unlink(directory, "f"),
                (directory, file) -> Ask.rename(directory, "f", directory, "g"));
    }

    @ParameterizedTest
    @MethodSource("requestsAboutTheFile")
    void shouldRecallAFileBeforeOthersAreAnswered(BiFunction<Long, Long, QueenRequest.Builder> request) {
        shouldWaitForTheRecallOf(file, request);
    }

    private void shouldWaitForTheRecallOf(long inode, BiFunction<Long, Long, QueenRequest.Builder> request) {
        maker.holdOn();

        CompletableFuture<QueenReply> answer = other.submit(request.apply(directory, file));

        assertThat(answer).isNotDone();
        maker.letGo();
        assertThat(answer).isCompleted();
        assertThat(answer.join().hasFailure()).as("%s", answer.join()).isFalse();
        assertThat(maker.recalls()).flatMap(recall -> recall.getInodesList()).contains(inode);
    }

    @Test
    void shouldNotRecallTwiceWhatWasRecalled() {
        other.ok(Ask.lookup(directory, "f"));
        int recalls = maker.recalls().size();

        other.ok(Ask.attributes(file));
        other.ok(Ask.attributes(directory));

        assertThat(maker.recalls()).hasSize(recalls);
    }

    @Test
    void shouldFindWhatWasMadeUntilTheRecallWasAnswered() {
        long made = decided.number();
        maker.holdOn();
        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(directory, "new"));
        assertThat(found).isNotDone();

        maker.ok(decided.create(directory, "new", made, 9));
        maker.letGo();

        assertThat(inode(found.join().getNode())).isEqualTo(made);
    }

    @Test
    void shouldRecallWhatWasMadeMeanwhileBeforeItIsShown() {
        long made = decided.number();
        maker.holdOn();
        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(directory, "new"));
        maker.ok(decided.create(directory, "new", made, 9));
        maker.letGoOnce();
        assertThat(found).as("the file may have been changed too").isNotDone();

        maker.ok(Decided.chmod(made, 0400));
        maker.letGo();

        assertThat(found.join().getNode().getAttributes().getMode() & 07777).isEqualTo(0400);
    }

    @Test
    void shouldListWhatIsThereWhenTheRecallIsAnswered() {
        maker.holdOn();
        CompletableFuture<QueenReply> listed = other.submit(Ask.list(directory, 0, 10));

        maker.ok(decided.create(directory, "new", decided.number(), 9));
        maker.ok(Decided.unlink(directory, "f", file));
        maker.letGo();

        assertThat(listed.join().getDirectoryPage().getEntriesList())
                .extracting(entry -> entry.getName().toStringUtf8())
                .containsExactly("new");
    }

    @Test
    void shouldRecallAllThatIsOnAPageAtOnce() {
        long second = inode(create(maker, directory, "g"));
        long third = inode(mkdir(maker, directory, "h"));
        maker.holdOn();
        CompletableFuture<QueenReply> listed = other.submit(listWithNodes(directory));
        maker.letGoOnce();
        assertThat(listed).isNotDone();

        assertThat(maker.recalls()).hasSize(2);
        assertThat(maker.recalls().getFirst().getInodesList()).containsExactly(directory);
        assertThat(maker.recalls().getLast().getInodesList()).containsExactlyInAnyOrder(file, second, third);
        maker.ok(Decided.chmod(third, 0711));
        maker.letGo();
        assertThat(listed.join().getDirectoryPage().getEntriesList())
                .filteredOn(DirectoryEntry::hasNode)
                .filteredOn(entry -> entry.getInode() == third)
                .singleElement()
                .satisfies(entry -> assertThat(entry.getNode().getAttributes().getMode() & 07777)
                        .isEqualTo(0711));
    }

    @Test
    void shouldLeaseWhatWasRecalledToWhoAskedForIt() {
        create(maker, directory, "g");

        QueenReply listed = other.ok(listWithNodes(directory));

        assertThat(listed.getDirectoryPage().getLeased()).isTrue();
        assertThat(listed.getDirectoryPage().getEntriesList())
                .hasSize(2)
                .allMatch(entry -> entry.getNode().getAttributesLeased());
        maker.ok(Ask.chmod(file, 0600));
        assertThat(other.recalls())
                .singleElement()
                .satisfies(recall -> assertThat(recall.getInodesList()).containsExactly(file));
    }

    @Test
    void shouldLeaseAttributesThatWereRecalledToWhoAskedForThem() {
        assertThat(other.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .isTrue();
    }

    @Test
    void shouldNotLeaseWhatSomebodyElseWaitsToChange() {
        TestDesktop third = new TestDesktop(hive, "third");
        third.registered();
        maker.holdOn();
        CompletableFuture<QueenReply> looked = other.submit(Ask.attributes(file));
        CompletableFuture<QueenReply> changed = third.submit(Ask.chmod(file, 0600));

        maker.letGo();

        assertThat(changed.join().getNode().getAttributes().getMode() & 07777).isEqualTo(0600);
        assertThat(looked.join().getNode().getAttributesLeased()).isFalse();
        assertThat(other.recalls()).isEmpty();
    }

    @Test
    void shouldOnlyRecallTheDirectoryForItsNames() {
        other.ok(Ask.list(directory, 0, 10));

        assertThat(maker.recalls()).flatMap(recall -> recall.getInodesList()).containsExactly(directory);
    }

    @Test
    void shouldNotRemoveADirectoryInWhichSomethingWasMadeMeanwhile() {
        maker.ok(Ask.unlink(directory, "f"));
        maker.holdOn();
        CompletableFuture<QueenReply> removed = other.submit(Ask.rmdir(ROOT, "d"));

        maker.ok(decided.create(directory, "new", decided.number(), 9));
        maker.letGo();

        assertThat(Errno.of(removed.join().getFailure().getErrno())).isEqualTo(Errno.ENOTEMPTY);
    }

    @Test
    void shouldNotFindWhatWasRemovedMeanwhile() {
        List<QueenRequest.Builder> requests = List.of(
                Ask.lookup(directory, "f"),
                Ask.unlink(directory, "f"),
                Ask.rename(directory, "f", ROOT, "g"),
                Ask.attributes(file),
                Ask.open(file, 10, true, false));
        maker.ok(Ask.release(file, 1));
        maker.holdOn();
        List<CompletableFuture<QueenReply>> answers =
                requests.stream().map(other::submit).toList();
        assertThat(answers).noneMatch(CompletableFuture::isDone);

        maker.ok(Decided.unlink(directory, "f", file));
        maker.letGo();

        assertThat(answers.subList(0, 3))
                .allSatisfy(
                        answer -> assertThat(Errno.of(answer.join().getFailure().getErrno()))
                                .isEqualTo(Errno.ENOENT));
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    @Test
    void shouldCheckTheRightsThatWereGivenMeanwhile() {
        other.as(1000, 1000);
        maker.holdOn();
        CompletableFuture<QueenReply> opened = other.submit(Ask.open(file, 10, true, false));
        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(directory, "nothing"));

        maker.ok(Decided.chmod(file, 0600));
        maker.ok(Decided.chmod(directory, 0700));
        maker.letGo();

        assertThat(Errno.of(opened.join().getFailure().getErrno())).isEqualTo(Errno.EACCES);
        assertThat(Errno.of(found.join().getFailure().getErrno())).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldRecallADirectoryThatIsFoundAsTheParentOfAnother() {
        long shared = inode(mkdir(other, ROOT, "e"));
        maker.ok(Ask.rename(ROOT, "e", directory, "e"));
        maker.holdOn();

        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(shared, ".."));
        maker.ok(Decided.chmod(directory, 0700));
        maker.letGo();

        assertThat(found.join().getNode().getAttributes().getMode() & 07777).isEqualTo(0700);
    }

    @Test
    void shouldNotWaitForAHolderThatIsSilentForTooLong() {
        hive.advance(List.of(other), Duration.ofSeconds(6));

        other.ok(Ask.lookup(directory, "f"));

        assertThat(maker.recalls()).isEmpty();
    }

    @Test
    void shouldEndWithTheSession() {
        maker.holdOn();
        CompletableFuture<QueenReply> found = other.submit(Ask.lookup(directory, "f"));
        assertThat(found).isNotDone();

        maker.registered();

        assertThat(found).isCompleted();
    }

    @Test
    void shouldNotBeRecalledForAListingThatNobodyHasAskedFor() {
        QueenRequest.Builder directoryAhead = listWithNodes(directory);
        directoryAhead.getListDirectoryBuilder().setAhead(true);
        QueenRequest.Builder parentAhead = listWithNodes(ROOT);
        parentAhead.getListDirectoryBuilder().setAhead(true);

        assertThat(other.fails(directoryAhead)).isEqualTo(Errno.EAGAIN);
        assertThat(other.fails(parentAhead)).isEqualTo(Errno.EAGAIN);

        assertThat(maker.recalls()).isEmpty();
        assertThat(create(maker, directory, "g").getDelegated()).isTrue();
    }

    private static QueenRequest.Builder listWithNodes(long directory) {
        QueenRequest.Builder list = Ask.list(directory, 0, 10);
        list.getListDirectoryBuilder().setWithNodes(true);
        return list;
    }

    private static Node mkdir(TestDesktop desktop, long parent, String name) {
        return desktop.ok(Ask.mkdir(parent, name, 0755)).getNode();
    }

    private static Node create(TestDesktop desktop, long parent, String name) {
        return desktop.ok(Ask.create(parent, name, 0644, desktop.newHandle())).getNode();
    }

    private static long inode(Node node) {
        return node.getAttributes().getInode();
    }
}
