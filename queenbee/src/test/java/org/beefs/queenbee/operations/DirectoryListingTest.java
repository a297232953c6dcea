package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class DirectoryListingTest {
    private static final long ROOT = Namespace.ROOT;
    private static final int ENTRIES = 100_000;

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private final Random random = new Random(3);

    @Test
    void shouldListWhatStaysExactlyOnceWhileOthersComeAndGo() {
        for (int i = 0; i < ENTRIES; i++) {
            make("stays" + i);
            if (i % 4 == 0) {
                make("goes" + i);
            }
        }
        Map<String, Integer> seen = new HashMap<>();
        long after = 0;
        boolean end = false;
        int made = 0;
        int gone = 0;
        while (!end) {
            DirectoryPage page = desktop.ok(Ask.list(ROOT, after, 1000)).getDirectoryPage();
            for (DirectoryEntry entry : page.getEntriesList()) {
                seen.merge(entry.getName().toStringUtf8(), 1, Integer::sum);
                assertThat(entry.getCookie()).isGreaterThan(Math.max(after, 2));
                after = entry.getCookie();
            }
            end = page.getEnd();
            for (int i = 0; i < 200 && made < 5_000; i++) {
                make("new" + made++);
            }
            for (int i = 0; i < 300 && gone < ENTRIES; i++, gone += 4) {
                desktop.ok(Ask.unlink(ROOT, "goes" + gone));
            }
        }
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(seen.get("stays" + i)).isOne();
        }
        assertThat(seen.values()).containsOnly(1);
    }

    @Test
    void shouldFindEveryNameAfterManyChanges() {
        Set<String> model = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            String name = "n" + random.nextInt(500);
            if (model.add(name)) {
                make(name);
            } else if (random.nextBoolean()) {
                model.remove(name);
                desktop.ok(Ask.unlink(ROOT, name));
            }
        }
        Set<String> listed = new HashSet<>();
        DirectoryPage page = desktop.ok(Ask.list(ROOT, 0, 4096)).getDirectoryPage();
        page.getEntriesList().forEach(entry -> listed.add(entry.getName().toStringUtf8()));
        assertThat(page.getEnd()).isTrue();
        assertThat(listed).isEqualTo(model);
        model.forEach(name -> desktop.ok(Ask.lookup(ROOT, name)));
    }

    @Test
    void shouldShowNodesWhenAsked() {
        make("f");
        DirectoryEntry entry = desktop.ok(Ask.list(ROOT, 0, 10)
                        .setListDirectory(
                                Ask.list(ROOT, 0, 10).getListDirectoryBuilder().setWithNodes(true)))
                .getDirectoryPage()
                .getEntries(0);
        assertThat(entry.getType()).isEqualTo(FileMode.FIFO);
        assertThat(entry.getNode().getAttributes().getInode()).isEqualTo(entry.getInode());
    }

    @Test
    void shouldNotListMoreAheadThanTheLimit() {
        make("f");
        make("g");

        assertThat(desktop.ok(ahead(2)).getDirectoryPage().getEntriesCount()).isEqualTo(2);
        assertThat(desktop.fails(ahead(1))).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldListAPartAheadBehindWhatWasSeen() {
        make("f");
        make("g");
        make("h");
        long first = desktop.ok(ahead(3)).getDirectoryPage().getEntries(0).getCookie();
        QueenRequest.Builder next = ahead(1);
        next.getListDirectoryBuilder().setAfter(first);

        assertThat(desktop.ok(next).getDirectoryPage().getEntriesList())
                .extracting(entry -> entry.getName().toStringUtf8())
                .containsExactly("g");
    }

    @Test
    void shouldTellWhereWhatIsMadeOrRenamedNextWillBe() {
        make("f");
        make("g");
        long next = desktop.ok(Ask.list(ROOT, 0, 1)).getDirectoryPage().getNextCookie();

        desktop.ok(Ask.rename(ROOT, "f", ROOT, "h"));

        DirectoryPage page = desktop.ok(Ask.list(ROOT, 0, 10)).getDirectoryPage();
        assertThat(page.getEntries(0).getCookie()).isLessThan(next);
        assertThat(page.getEntries(1).getCookie()).isEqualTo(next);
        assertThat(page.getNextCookie()).isGreaterThan(next);
    }

    private static QueenRequest.Builder ahead(int limit) {
        QueenRequest.Builder list = Ask.list(ROOT, 0, limit);
        list.getListDirectoryBuilder().setWithNodes(true).setAhead(true);
        return list;
    }

    private void make(String name) {
        desktop.ok(Ask.mknod(ROOT, name, FileMode.FIFO | 0644));
    }
}
