package org.beefs.honeybee.filesystem.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.junit.jupiter.api.Test;

/** Directories that are listed one after the other. */
class TreeWalksTest {
    private static final int DIRECTORIES = 100;
    private static final Duration SLOW = Duration.ofMillis(3_500);

    private final FakeHive hive = new FakeHive();
    private final FakeQueen queen = hive.queen;
    private final List<Long> directories = new ArrayList<>();

    TreeWalksTest() {
        queen.grants = true;
        hive.get(hive.session.start());
        for (int i = 0; i < DIRECTORIES; i++) {
            directories.add(queen.addDirectory(FileSystem.ROOT, "d%03d".formatted(i)));
        }
    }

    @Test
    void shouldListAheadAsLongAsDirectoriesAreListedInOrder() {
        list(FileSystem.ROOT);
        directories.forEach(this::list);

        assertThat(asked(true)).isEqualTo(directories.subList(3, DIRECTORIES));
        assertThat(asked(false)).hasSize(4);
    }

    @Test
    void shouldListAheadWhatIsBelowTheNextDirectory() {
        long below = queen.addDirectory(directories.get(2), "below");
        list(FileSystem.ROOT);
        list(directories.get(0));
        list(directories.get(1));
        list(directories.get(2));

        assertThat(asked(true)).first().isEqualTo(below);
    }

    @Test
    void shouldNotTakeTheWayToOneDirectoryForAWalk() {
        long below = queen.addDirectory(directories.get(7), "below");
        list(FileSystem.ROOT);
        list(directories.get(7));
        list(below);

        assertThat(asked(true)).isEmpty();
    }

    @Test
    void shouldNotTakeListingsHereAndThereForAWalk() {
        list(FileSystem.ROOT);
        for (int i = 0; i < DIRECTORIES; i++) {
            list(directories.get(i % 2 == 0 ? i : DIRECTORIES - i));
        }

        assertThat(asked(true)).isEmpty();
    }

    @Test
    void shouldWaitForWhatIsUnderWayAndNotAskTwice() {
        walkTo(2);
        int known = asked(true).size();
        queen.held = OperationCase.LIST_DIRECTORY;
        for (int next = 3; asked(true).size() == known; next++) {
            list(directories.get(next));
        }
        long underWay = asked(true).getLast();

        CompletableFuture<Listing> listed = ask(underWay);
        hive.timers.runDue();
        assertThat(listed).isNotDone();
        queen.letGo();

        hive.get(listed);
        assertThat(asked(false)).doesNotContain(underWay);
    }

    /** Heartbeats, and what programs ask for, wait behind them. */
    @Test
    void shouldHaveFewListingsUnderWayOverANetworkOnWhichTheyTakeLong() {
        walkTo(1);
        queen.held = OperationCase.LIST_DIRECTORY;
        for (long directory : directories.subList(2, 50)) {
            int before = asked(true).size();
            CompletableFuture<Listing> listed = ask(directory);
            hive.pass(SLOW);
            queen.letGo();

            hive.get(listed);
            assertThat(asked(true).size() - before).isLessThanOrEqualTo(4);
        }
        assertThat(asked(true)).hasSizeGreaterThan(10);
    }

    @Test
    void shouldAskForWhatTheQueenBeeDoesNotListAhead() {
        queen.refusesAhead = true;
        walkTo(20);

        assertThat(asked(true)).isNotEmpty();
        assertThat(asked(false)).containsAll(directories.subList(0, 21));
    }

    private void walkTo(int last) {
        list(FileSystem.ROOT);
        directories.subList(0, last + 1).forEach(this::list);
    }

    private void list(long directory) {
        hive.get(ask(directory));
    }

    private CompletableFuture<Listing> ask(long directory) {
        return hive.files.listDirectory(directory, 0, 4096, true);
    }

    private List<Long> asked(boolean ahead) {
        return queen.requestsOf(OperationCase.LIST_DIRECTORY).stream()
                .map(QueenRequest::getListDirectory)
                .filter(list -> list.getAhead() == ahead)
                .map(list -> list.getInode())
                .toList();
    }
}
