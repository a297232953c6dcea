package org.beefs.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;

/** The model must forget when Linux forgets, and not before. */
class KernelMemoryTest {
    private static final ByteString NAME = ByteString.copyFromUtf8("name");
    private static final long DIRECTORY = 1;
    private static final long INODE = 7;
    private static final Attributes OLD =
            Attributes.newBuilder().setInode(INODE).setSize(1).build();
    private static final Attributes NEW =
            Attributes.newBuilder().setInode(INODE).setSize(2).build();

    private long now;
    private final List<Long> changed = new ArrayList<>();
    private final Dentries dentries = new Dentries(() -> now);
    private final Inodes inodes = new Inodes(() -> now, changed::add);

    @Test
    void shouldUseAnEntryForItsLifetime() {
        dentries.link(DIRECTORY, NAME, INODE, 10, dentries.epoch());

        now = 9;
        assertThat(dentries.valid(DIRECTORY, NAME)).isEqualTo(INODE);
        now = 10;
        assertThat(dentries.valid(DIRECTORY, NAME)).isNull();
    }

    @Test
    void shouldNotUseEntriesOfAnEarlierEpoch() {
        long asked = dentries.epoch();
        dentries.beginEpoch();
        dentries.link(DIRECTORY, NAME, INODE, 10, asked);

        assertThat(dentries.valid(DIRECTORY, NAME)).isNull();
    }

    @Test
    void shouldKeepTheLifetimeOfAnEntryThatItMovesItself() {
        ByteString other = ByteString.copyFromUtf8("other");
        dentries.link(DIRECTORY, NAME, INODE, 10, dentries.epoch());
        dentries.move(DIRECTORY, NAME, DIRECTORY, other);

        assertThat(dentries.valid(DIRECTORY, NAME)).isNull();
        assertThat(dentries.valid(DIRECTORY, other)).isEqualTo(INODE);
    }

    @Test
    void shouldNotTakeOverAnAnswerThatWasAskedForBeforeANotification() {
        inodes.learn(OLD, 10, inodes.version());
        long asked = inodes.version();
        assertThat(inodes.invalidate(INODE)).isTrue();
        inodes.learn(NEW, 10, asked);

        assertThat(inodes.valid(INODE)).isNull();
    }

    @Test
    void shouldTakeOverAnyAnswerAboutAnInodeThatItDoesNotKnow() {
        long asked = inodes.version();
        assertThat(inodes.invalidate(INODE)).isFalse();
        inodes.learn(OLD, 10, asked);

        assertThat(inodes.valid(INODE)).isEqualTo(OLD);
    }

    @Test
    void shouldTakeOverTheAnswerToAChangeWhateverHasHappenedSince() {
        inodes.learn(OLD, 10, inodes.version());
        inodes.invalidate(INODE);
        inodes.take(NEW, 10);

        assertThat(inodes.valid(INODE)).isEqualTo(NEW);
    }

    @Test
    void shouldUseNoContentOfAFileWhoseTimeHasChangedThoughItsSizeHasNot() {
        inodes.learn(OLD, 10, inodes.version());
        Attributes rewritten =
                OLD.toBuilder().setMtime(Timestamp.newBuilder().setSeconds(1)).build();
        changed.clear();
        inodes.learn(rewritten, 10, inodes.version());

        assertThat(changed).containsExactly(INODE);
    }

    @Test
    void shouldNotKeepWhatIsBeingReadWhenPagesAreDropped() {
        Pages pages = new Pages(false);
        Pages.Reading reading = pages.begin(INODE, 0);
        CompletableFuture<Void> dropped = pages.drop(INODE);

        assertThat(dropped).isNotDone();
        pages.read(reading, new byte[Pages.SIZE]);
        assertThat(dropped).isDone();
        assertThat(pages.get(INODE, 0)).isNull();
    }

    @Test
    void shouldLetNobodyListADirectoryThatIsBeingChanged() {
        InodeLocks locks = new InodeLocks();
        CompletableFuture<Void> change = new CompletableFuture<>();
        CompletableFuture<Void> list = new CompletableFuture<>();
        locks.exclusive(DIRECTORY, () -> change);
        CompletableFuture<Void> listed = locks.shared(DIRECTORY, () -> list);
        list.complete(null);

        assertThat(listed).isNotDone();
        change.complete(null);
        assertThat(listed).isDone();
    }
}
