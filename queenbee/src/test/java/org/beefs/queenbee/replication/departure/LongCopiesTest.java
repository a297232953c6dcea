package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.Test;

/** What makes room is first a file that takes longer to copy than a round. */
class LongCopiesTest extends LeavingReplicasTest {
    private static final long LARGE = 200 * MIB;
    private static final Duration LONGER_THAN_A_ROUND = Duration.ofMinutes(13);

    @Test
    void shouldGoOnWithACopyThatTakesLongerThanARound() {
        third.setAvailable(0);
        second.holdAnswers();
        long image = createLarge("image");
        fillWriter();

        advanceAsOthersComeAndGo(LONGER_THAN_A_ROUND);

        assertThat(second.dropped()).isEmpty();
        second.answerHeld();
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(image)).containsExactly("second");
    }

    @Test
    void shouldChooseNoMoreAfterARoundThanLacksBesidesWhatIsStillCopied() {
        third.setAvailable(0);
        second.holdAnswers();
        long image = createLarge("image");
        long other = createLarge("other");
        fillWriter();

        hive.advance(awake, LONGER_THAN_A_ROUND.multipliedBy(2));

        assertThat(desktopsOf(image)).containsExactly("writer", "second");
        assertThat(desktopsOf(other)).containsExactly("writer");
    }

    @Test
    void shouldGoOnWithACopyWhenTheDesktopThatMakesRoomWasAwayForAMoment() {
        third.setAvailable(0);
        second.holdAnswers();
        long image = createLarge("image");
        fillWriter();
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(image)).containsExactly("writer", "second");

        go(writer);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(3));
        writer.register(writer.register());
        awake.add(writer);
        advanceAsOthersComeAndGo(A_WHILE);

        assertThat(second.dropped()).isEmpty();
        assertThat(desktopsOf(image)).containsExactly("writer", "second");
    }

    @Test
    void shouldPassOverForATimeWhatDidNotLeave() {
        long image = createLarge("image");
        List.of(second, third).forEach(desktop -> desktop.setFetched(fetch -> fetched(fetch, image)));
        List<Long> small = createSmall(10);
        fillWriter();

        hive.advance(awake, LONGER_THAN_A_ROUND);

        assertThat(small).allSatisfy(inode -> assertThat(desktopsOf(inode)).doesNotContain("writer"));
        assertThat(desktopsOf(image)).startsWith("writer");
    }

    private static Fetched fetched(Fetch fetch, long unreadable) {
        return fetch.getReplica().getInode() == unreadable
                ? Fetched.newBuilder()
                        .setFailure(new PosixException(Errno.EIO, "a part cannot be read").toFailure())
                        .build()
                : Fetched.newBuilder().setComplete(true).build();
    }

    @Test
    void shouldLetSmallReplicasGoForAWriterWhileALargeOneIsCopied() {
        third.setAvailable(0);
        second.holdAnswers();
        createLarge("image");
        fillWriter();
        hive.advance(awake, A_WHILE);
        List<Long> small = createSmall(10);
        long open = createOpen();
        awake.forEach(desktop -> desktop.setAvailable(desktop == third ? 1L << 40 : 0));
        hive.advance(awake, A_WHILE);
        assertThat(small).allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("writer"));

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(4));

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
        assertThat(small).anySatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("third"));
    }

    @Test
    void shouldChooseSmallReplicasFirstForAWriter() {
        third.setAvailable(0);
        long image = createLarge("image");
        List<Long> small = createSmall(10);
        long open = createOpen();
        writer.setSpace(10 * MIB, 0);
        hive.advance(awake, CONFIG.heartbeat());

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
        assertThat(small).anySatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("second"));
        assertThat(desktopsOf(image)).containsExactly("writer");
    }

    /** Has one replica, and was used longest ago. */
    private long createLarge(String name) {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        long inode = writer.createWritten(
                name,
                number -> written(number, 1).toBuilder()
                        .setSize(LARGE)
                        .setBlocks(LARGE / 512)
                        .build());
        hive.advance(awake, A_WHILE);
        return inode;
    }

    /** Have one replica each. */
    private List<Long> createSmall(int files) {
        List<Long> inodes = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            inodes.add(create(writer, "small" + i));
        }
        hive.advance(awake, A_WHILE);
        return inodes;
    }

    private void fillWriter() {
        writer.setSpace(1000 * MIB, 996 * MIB);
    }

    /** Whenever a desktop registers all files are looked at. */
    private void advanceAsOthersComeAndGo(Duration duration) {
        for (Duration left = duration; left.isPositive(); left = left.minus(CONFIG.heartbeat())) {
            hive.advance(awake, CONFIG.heartbeat());
            third.disconnect();
            third.registered();
        }
    }
}
