package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetXattr;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is answered from the cache, and what is not. */
class MetadataCacheTest extends CacheTest {
    private static final Credentials USER =
            Credentials.newBuilder().setUid(1000).setGid(1000).build();

    @Test
    void shouldKnowWhatWasLeased() {
        answer(lookup("f5"), reply(file(5)));

        assertThat(find("f5")).isEqualTo(5);
        assertThat(cache.node(5)).isNotNull();
        assertThat(find("other")).isNull();
    }

    @Test
    void shouldKeepNothingThatWasNotLeased() {
        answer(lookup("f5"), QueenReply.newBuilder().setNode(file(5)).build());
        answer(
                lookup("f6"),
                reply(file(6).toBuilder().setAttributesLeased(false).build()));

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNotNull();
        assertThat(find("f6")).isNull();
        assertThat(cache.node(6)).isNull();
    }

    @Test
    void shouldKnowThatANameIsAbsent() {
        answer(lookup("gone"), absent());

        assertAbsent("gone");
        assertThat(find("other")).isNull();
    }

    @Test
    void shouldKnowThatAllOtherNamesAreAbsentAfterAWholeListing() {
        answer(list(0), page(false, 5, 6));
        assertThat(find("other")).isNull();

        answer(list(6), page(true, 7));

        assertThat(find("f7")).isEqualTo(7);
        assertAbsent("other");
        assertThat(inodes(pageAfter(0, 2))).containsExactly(5L, 6L);
        assertThat(pageAfter(0, 2).getEnd()).isFalse();
        assertThat(inodes(pageAfter(6, 2))).containsExactly(7L);
        assertThat(pageAfter(6, 2).getEnd()).isTrue();
    }

    @Test
    void shouldTellPagesOfAListingThatIsNotWholeYet() {
        answer(list(0), page(false, 5, 6, 7));
        answer(makeDirectory("d9"), made(9, 90));

        assertThat(inodes(pageAfter(0, 2))).containsExactly(5L, 6L);
        assertThat(inodes(pageAfter(6, 2))).containsExactly(7L);
        assertThat(pageAfter(6, 2).getEnd()).isFalse();
        assertThat(cachedPage(7, 2)).isNull();
    }

    /** Which keeps its place, so that no later page tells it. */
    @Test
    void shouldNotLeaveOutANameThatAnotherFileHasGotSinceItWasListed() {
        answer(list(0), page(false, 5, 6, 7));

        answer(
                rename("f7", "f6"),
                changed().setEntryCookie(6).addTouched(file(7)).build());

        assertThat(cachedPage(0, 10)).isNull();
        assertThat(find("f6")).isEqualTo(7);
    }

    @Test
    void shouldKnowAWholeListingWithWhatWasMadeSince() {
        answer(list(0), page(true, 5, 6));

        answer(makeDirectory("d9"), made(9, 90));
        answer(makeDirectory("d8"), made(8, 91));

        assertThat(inodes(pageAfter(0, 10))).containsExactly(5L, 6L, 9L, 8L);
        assertThat(inodes(pageAfter(90, 10))).containsExactly(8L);
    }

    @Test
    void shouldNotTrustAListingWithoutThePlaceOfWhatWasMade() {
        answer(list(0), page(true, 5, 6));

        answer(makeDirectory("d9"), made(9, 0));

        assertThat(cachedPage(0, 10)).isNull();
        assertThat(find("d9")).isEqualTo(9);
    }

    @Test
    void shouldKeepNoMoreOfAListingThanTwiceWhatIsThere() {
        answer(list(0), page(true, 5));

        for (int i = 0; i < 5000; i++) {
            answer(makeDirectory("d"), made(100 + i, 100 + i));
            answer(removeDirectory("d"), removed());
        }

        assertThat(inodes(pageAfter(0, 10))).containsExactly(5L);
    }

    @Test
    void shouldNotTrustAListingThatSomethingWasRecalledFrom() {
        answer(list(0), page(false, 5, 6));
        recall(recallOf("other"));
        answer(list(6), page(true, 7));

        assertThat(find("other")).isNull();
        assertThat(find("another")).isNull();
        assertThat(cachedPage(0, 10)).isNull();
    }

    @Test
    void shouldNotTrustAListingThatWasNotLeasedThroughout() {
        answer(list(0), page(false, 5));
        QueenReply.Builder unleased = page(false, 6).toBuilder();
        unleased.getDirectoryPageBuilder().setLeased(false);
        answer(list(5), unleased.build());
        answer(list(6), page(true, 7));

        assertThat(find("other")).isNull();
        assertThat(find("f7")).isEqualTo(7);
    }

    @Test
    void shouldLoseOneNameToARecallAndKnowTheRest() {
        answer(list(0), page(true, 5, 6));

        recall(recallOf("f5", "new"));

        assertThat(find("f5")).isNull();
        assertThat(find("new")).isNull();
        assertThat(find("f6")).isEqualTo(6);
        assertAbsent("other");
        assertThat(cachedPage(0, 10)).isNull();

        answer(lookup("new"), reply(file(8)));
        assertThat(find("new")).isEqualTo(8);
    }

    @Test
    void shouldLoseAttributesToARecall() {
        answer(lookup("f5"), reply(file(5)));

        recall(recallOf(5));

        assertThat(cache.node(5)).isNull();
        assertThat(find("f5")).isNull();
    }

    @Test
    void shouldLoseEverythingToARecallOfEverything() {
        answer(list(0), page(true, 5));

        recall(Recall.newBuilder().setEverything(true).build());

        assertThat(find("f5")).isNull();
        assertThat(find("other")).isNull();
        answer(lookup("f5"), reply(file(5)));
        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldKnowThatADirectoryThatWasJustMadeIsEmpty() {
        QueenRequest make = QueenRequest.newBuilder()
                .setMakeDirectory(
                        MakeDirectory.newBuilder().setParent(DIRECTORY).setName(name("d")))
                .build();
        answer(
                make,
                changed()
                        .setNode(directory(9, 0700).toBuilder().setEntriesLeased(true))
                        .build());

        assertThat(find("d")).isEqualTo(9);
        assertFails(Errno.ENOENT, () -> find(9, "x"));
        assertThat(cache.page(9, 0, 10, true))
                .isEqualTo(DirectoryPage.newBuilder()
                        .setParent(DIRECTORY)
                        .setEnd(true)
                        .build());
    }

    @Test
    void shouldTakeOverItsOwnChanges() {
        answer(list(0), page(true, 5, 6));

        answer(unlink("f5"), changed().build());

        assertAbsent("f5");
        assertThat(cache.node(5)).isNull();
        assertThat(inodes(pageAfter(0, 10))).containsExactly(6L);

        answer(create("new"), changed().setNode(file(7)).build());

        assertThat(find("new")).isEqualTo(7);
        assertAbsent("other");
        assertThat(cachedPage(0, 10))
                .as("the place of the new entry is not known")
                .isNull();
    }

    @Test
    void shouldForgetWhatAChangeHasTouchedAndItsAnswerDoesNotLease() {
        answer(list(0), page(true, 5, 6));
        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0755)));

        answer(unlink("f5"), QueenReply.getDefaultInstance());

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNull();
        assertThat(cache.node(DIRECTORY)).isNull();
        assertThat(find("f6")).isEqualTo(6);
    }

    @Test
    void shouldForgetAttributesThatAreAnsweredWithoutALease() {
        answer(attributes(5), reply(file(5)));

        answer(
                unlink("a name that was not known"),
                changed()
                        .addTouched(file(5).toBuilder().setAttributesLeased(false))
                        .build());

        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldForgetAttributesThatAChangeOfXattrsHasTouched() {
        answer(lookup("f5"), reply(file(5)));

        answer(
                QueenRequest.newBuilder()
                        .setSetXattr(SetXattr.newBuilder().setInode(5))
                        .build(),
                QueenReply.getDefaultInstance());

        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldKeepWhatItKnowsWhenAChangeFails() {
        answer(list(0), page(true, 5));

        answer(
                unlink("f5"),
                QueenReply.newBuilder()
                        .setFailure(new PosixException(Errno.EPERM, "no").toFailure())
                        .build());

        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldMoveEntriesAsItsOwnRenamesDo() {
        answer(list(0), page(true, 5, 6));

        answer(rename("f5", "f6"), changed().addTouched(file(5)).build());

        assertAbsent("f5");
        assertThat(find("f6")).isEqualTo(5);
        assertThat(cache.node(6)).isNull();
    }

    @Test
    void shouldKnowThatARenameBetweenNamesOfOneInodeDoesNothing() {
        answer(lookup("a"), reply(file(5)));
        answer(lookup("b"), reply(file(5)));

        answer(rename("a", "b"), changed().addTouched(file(5)).build());

        assertThat(find("a")).isEqualTo(5);
        assertThat(find("b")).isEqualTo(5);
    }

    @Test
    void shouldKnowNothingOfNamesAfterARenameOfWhichItDidNotKnowBoth() {
        answer(lookup("a"), reply(file(5)));

        answer(rename("a", "b"), changed().addTouched(file(5)).build());

        assertThat(find("a")).isNull();
        assertThat(find("b")).isNull();
    }

    @Test
    void shouldAskForWhatAnUnansweredChangeMayHaveChanged() {
        answer(list(0), page(true, 5, 6));
        Runnable changed = cache.changing(unlink("f5"));

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNull();
        assertThat(cachedPage(0, 10)).isNull();
        assertThat(find("f6")).isEqualTo(6);

        changed.run();

        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldAskForAllAttributesWhileAChangeMayConcernAnyInode() {
        answer(lookup("f6"), reply(file(6)));
        Runnable changed = cache.changing(unlink("unknown"));

        assertThat(cache.node(6)).isNull();

        changed.run();
        assertThat(cache.node(6)).isNotNull();
    }

    @Test
    void shouldAskAgainAndAgainForADirtyFile() {
        answer(attributes(5), reply(dirty(5)));
        pass(Duration.ofMillis(900));
        assertThat(cache.node(5)).isNotNull();

        pass(Duration.ofMillis(200));

        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldTakeOverWhatAReleaseSaysOfAFileThatIsCleanNow() {
        answer(open(5), reply(dirty(5)));
        answer(open(6), reply(dirty(6)));

        answer(release(5), QueenReply.newBuilder().addTouched(file(5)).build());
        answer(release(6), QueenReply.getDefaultInstance());

        pass(Duration.ofSeconds(2));
        assertThat(cache.node(5)).isNotNull();
        assertThat(cache.node(6)).isNull();
    }

    @Test
    void shouldNotKeepWhatWasAskedForBeforeItWasDropped() {
        Stamp before = cache.stamp();
        cache.drop();

        cache.answered(before, lookup("f5"), reply(file(5)), view);

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldKeepNothingBetweenARegistrationAndItsAnswer() {
        answer(lookup("f5"), reply(file(5)));
        long sent = timers.clock().bootNanos();
        cache.end();
        Stamp during = cache.stamp();

        assertThat(find("f5")).isNull();
        cache.answered(during, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).isNull();

        cache.registered(sent, TERMS);
        cache.answered(during, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).isNull();
        answer(lookup("f5"), reply(file(5)));
        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldForgetEverythingAfterSilence() {
        answer(lookup("f5"), reply(file(5)));
        pass(Duration.ofMillis(3_999));
        assertThat(find("f5")).isEqualTo(5);

        pass(Duration.ofMillis(1));

        assertThat(find("f5")).isNull();
        Stamp late = cache.stamp();
        pass(Duration.ofSeconds(1));
        cache.answered(late, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).as("asked for and answered after the silence").isEqualTo(5);
    }

    @Test
    void shouldCountSilenceFromTheSendingOfWhatWasAnswered() {
        Stamp early = cache.stamp();
        pass(Duration.ofSeconds(3));
        cache.answered(early, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).isEqualTo(5);

        pass(Duration.ofSeconds(1));

        assertThat(find("f5")).isNull();
    }

    @Test
    void shouldKeepWhatItKnowsAsLongAsTheQueenBeeIsHeard() {
        answer(lookup("f5"), reply(file(5)));

        passHearing(Duration.ofSeconds(60));

        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldFindItsLeasesEndedAfterASleep() {
        answer(lookup("f5"), reply(file(5)));
        Stamp before = cache.stamp();

        timers.clock().advance(Duration.ofSeconds(5)); // and no timer runs

        cache.answered(before, lookup("f6"), reply(file(6)), view);
        cache.heard(timers.clock().bootNanos());
        assertThat(find("f5")).isNull();
        assertThat(find("f6")).isNull();
    }

    @Test
    void shouldKeepNothingFromAQueenBeeThatGrantsNoLeases() {
        cache.end();
        cache.registered(
                timers.clock().bootNanos(), TERMS.toBuilder().clearCacheMillis().build());

        answer(lookup("f5"), reply(file(5)));

        assertThat(find("f5")).isNull();
    }

    @Test
    void shouldCheckPermissionsAsTheQueenBeeDoes() {
        answer(lookup("f5"), reply(file(5)));
        assertThat(cache.lookup(USER, DIRECTORY, name("f5")))
                .as("nothing is known of the directory's mode")
                .isNull();

        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0711)));
        assertThat(cache.lookup(USER, DIRECTORY, name("f5"))).isNotNull();
        assertThat(cache.checkAccess(ROOT, DIRECTORY, 4)).isTrue();
        assertFails(Errno.EACCES, () -> cache.checkAccess(USER, DIRECTORY, 4));

        recall(recallOf(DIRECTORY));
        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0700)));
        assertFails(Errno.EACCES, () -> cache.lookup(USER, DIRECTORY, name("f5")));
        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldLeaveTheKernelsNamesForDirectoriesToTheQueenBee() {
        answer(lookup(".."), reply(directory(3, 0755)));

        assertThat(cache.lookup(ROOT, DIRECTORY, name(".."))).isNull();
    }

    @Test
    void shouldForgetWhatWasNotUsedForLongestWhenItIsFull() {
        for (long inode = 101; inode <= 200; inode++) {
            answer(lookup("f" + inode), reply(file(inode)));
        }
        cache.node(101);

        answer(lookup("f201"), reply(file(201)));

        assertThat(cache.node(101)).isNotNull();
        assertThat(cache.node(102)).isNull();
        assertThat(find("f101")).isNull();
        assertThat(find("f103")).isEqualTo(103);
    }

    @Test
    void shouldNotClaimToKnowADirectoryThatIsTooLarge() {
        long[] many = new long[150];
        for (int i = 0; i < many.length; i++) {
            many[i] = 1000L + i;
        }

        answer(list(0), page(true, many));

        assertThat(find("f1149")).isEqualTo(1149);
        assertThat(find("f1000")).isNull();
        assertThat(find("other")).isNull();
        assertThat(cachedPage(0, 10)).isNull();
    }

    private static QueenRequest makeDirectory(String name) {
        return QueenRequest.newBuilder()
                .setMakeDirectory(
                        MakeDirectory.newBuilder().setParent(DIRECTORY).setName(name(name)))
                .build();
    }

    private static QueenReply made(long inode, long cookie) {
        return reply(directory(inode, 0755)).toBuilder().setEntryCookie(cookie).build();
    }

    private static QueenRequest removeDirectory(String name) {
        return QueenRequest.newBuilder()
                .setRemoveDirectory(
                        RemoveDirectory.newBuilder().setParent(DIRECTORY).setName(name(name)))
                .build();
    }

    private static QueenReply removed() {
        return QueenReply.newBuilder().setEntryLeased(true).build();
    }

    private static QueenRequest rename(String from, String to) {
        return QueenRequest.newBuilder()
                .setRename(Rename.newBuilder()
                        .setOldParent(DIRECTORY)
                        .setOldName(name(from))
                        .setNewParent(DIRECTORY)
                        .setNewName(name(to)))
                .build();
    }

    private static QueenRequest open(long inode) {
        return QueenRequest.newBuilder()
                .setOpen(Open.newBuilder().setInode(inode).setWrite(true))
                .build();
    }

    private static QueenRequest release(long inode) {
        return QueenRequest.newBuilder()
                .setRelease(Release.newBuilder().setInode(inode))
                .build();
    }

    /** The inode of a name; null when it is not known. */
    private @Nullable Long find(String name) {
        return find(DIRECTORY, name);
    }

    private @Nullable Long find(long directory, String name) {
        CompletableFuture<Node> node = cache.lookup(ROOT, directory, name(name));
        return node == null ? null : node.join().getAttributes().getInode();
    }

    private void assertAbsent(String name) {
        assertFails(Errno.ENOENT, () -> find(name));
    }

    private static void assertFails(Errno errno, Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(errno));
    }

    private @Nullable DirectoryPage cachedPage(long after, int limit) {
        return cache.page(DIRECTORY, after, limit, true);
    }

    private DirectoryPage pageAfter(long after, int limit) {
        DirectoryPage page = cachedPage(after, limit);
        assertThat(page).isNotNull();
        return page == null ? DirectoryPage.getDefaultInstance() : page;
    }

    private static List<Long> inodes(DirectoryPage page) {
        return page.getEntriesList().stream().map(DirectoryEntry::getInode).toList();
    }
}
