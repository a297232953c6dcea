package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.RemoveDirectory;
import org.junit.jupiter.api.Test;

/** What is known of directories that were listed. */
class CachedListingsTest extends LeasedDirectoryTest {
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
    void shouldTellWhereAWholeListingEnds() {
        answer(list(0), page(false, 5, 6));
        answer(list(6), page(true, 7));
        assertThat(pageAfter(0, 1).getNextCookie()).isEqualTo(8);

        answer(makeDirectory("d9"), made(9, 90));
        assertThat(pageAfter(0, 1).getNextCookie()).isEqualTo(91);
    }

    @Test
    void shouldTellWhereTheDirectoryEndsBeforeAllOfItsPagesWereSeen() {
        answer(list(0), ending(90, page(false, 5, 6)));
        assertThat(pageAfter(0, 1).getNextCookie()).isEqualTo(90);

        answer(makeDirectory("d9"), made(9, 90));
        assertThat(pageAfter(0, 1).getNextCookie()).isEqualTo(91);

        answer(lookup("f7"), reply(file(7)));
        answer(list(6), ending(91, page(false, 7)));
        assertThat(pageAfter(0, 1).getNextCookie()).isEqualTo(91);
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

    private static QueenReply ending(long nextCookie, QueenReply listed) {
        QueenReply.Builder reply = listed.toBuilder();
        reply.getDirectoryPageBuilder().setNextCookie(nextCookie);
        return reply.build();
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
}
