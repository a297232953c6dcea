package org.beefs.honeybee.filesystem.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.junit.jupiter.api.Test;

class PagesAheadTest {
    private static final int FILES = 2000;
    private static final int PAGE = 100;

    private final FakeHive hive = new FakeHive();
    private final FakeQueen queen = hive.queen;
    private final List<Long> inodes = new ArrayList<>();

    PagesAheadTest() {
        queen.grants = true;
        hive.get(hive.session.start());
        for (int i = 0; i < FILES; i++) {
            inodes.add(queen.addFile(
                    "f%04d".formatted(i),
                    Layout.newBuilder(),
                    Attributes.newBuilder().setMode(0100644)));
        }
    }

    @Test
    void shouldAskForLargerPagesBeforeTheyAreWanted() {
        assertThat(listAll()).isEqualTo(inodes);

        assertThat(asked().subList(0, 2)).extracting(ListDirectory::getLimit).containsExactly(PAGE, PAGE);
        assertThat(asked().subList(2, asked().size()))
                .extracting(ListDirectory::getLimit)
                .containsOnly(PagesAhead.ENTRIES)
                .hasSize((FILES - 2 * PAGE) / PagesAhead.ENTRIES + 1);
        queen.requests.clear();
        assertThat(listAll()).isEqualTo(inodes);
        assertThat(asked()).as("all is known then").isEmpty();
    }

    @Test
    void shouldAskForNothingAheadOfWhoWantsTheFirstPageOnly() {
        list(0);

        assertThat(asked()).hasSize(1);
    }

    @Test
    void shouldAskForNothingAheadWithoutALease() {
        queen.grants = false;

        assertThat(listAll()).isEqualTo(inodes);

        assertThat(asked()).hasSize(FILES / PAGE).allMatch(list -> list.getLimit() == PAGE);
    }

    @Test
    void shouldWaitForThePageThatIsUnderWay() {
        list(0);
        queen.held = OperationCase.LIST_DIRECTORY;
        CompletableFuture<Listing> second = ask(inodes.get(PAGE - 1));
        hive.timers.runDue();
        queen.letGo();
        hive.timers.runDue();
        queen.held = OperationCase.LIST_DIRECTORY;
        assertThat(second).isCompleted();

        CompletableFuture<Listing> third = ask(inodes.get(2 * PAGE - 1));
        hive.timers.runDue();

        assertThat(third).isNotDone();
        assertThat(asked()).hasSize(3);
        queen.letGo();
        hive.get(third);
        assertThat(asked()).hasSize(3);
    }

    @Test
    void shouldAskForWhatTheQueenBeeDoesNotListAhead() {
        queen.refusesAhead = true;

        assertThat(listAll()).isEqualTo(inodes);
    }

    @Test
    void shouldHaveAllItsPatienceThoughThePageThatIsUnderWayHasUsedItsOwnUp() {
        list(0);
        queen.held = OperationCase.LIST_DIRECTORY;
        CompletableFuture<Listing> second = ask(inodes.get(PAGE - 1));
        hive.timers.runDue();
        queen.letGo();
        hive.get(second);
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.stop();
        hive.pass(Duration.ofSeconds(59));

        CompletableFuture<Listing> third = ask(inodes.get(2 * PAGE - 1));
        hive.pass(Duration.ofSeconds(10));
        assertThat(third).isNotDone();
        queen.start(FakeQueen.PORT);

        assertThat(hive.get(third, Duration.ofSeconds(20)).entries()).hasSize(PAGE);
    }

    @Test
    void shouldTellNothingThatWasRecalledSince() {
        list(0);
        list(inodes.get(PAGE - 1));
        hive.get(queen.recall(Recall.newBuilder().setEverything(true).build()));
        long gone = inodes.remove(3 * PAGE);
        queen.forget(gone);

        List<Long> rest = listFrom(inodes.get(2 * PAGE - 1));

        assertThat(rest).isEqualTo(inodes.subList(2 * PAGE, FILES - 1));
    }

    private List<Long> listAll() {
        return listFrom(0);
    }

    private List<Long> listFrom(long after) {
        List<Long> listed = new ArrayList<>();
        Listing page = list(after);
        while (true) {
            page.entries().forEach(entry -> listed.add(entry.inode()));
            if (page.end()) {
                return listed;
            }
            page = list(page.entries().getLast().cookie());
        }
    }

    private Listing list(long after) {
        return hive.get(ask(after));
    }

    private CompletableFuture<Listing> ask(long after) {
        return hive.files.listDirectory(FileSystem.ROOT, after, PAGE, true);
    }

    private List<ListDirectory> asked() {
        return queen.requestsOf(OperationCase.LIST_DIRECTORY).stream()
                .map(QueenRequest::getListDirectory)
                .toList();
    }
}
