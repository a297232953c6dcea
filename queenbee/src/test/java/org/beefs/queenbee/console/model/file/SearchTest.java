package org.beefs.queenbee.console.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchTest {
    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk1").registered();
    private ConsoleHive console;

    @BeforeEach
    void open() {
        console = new ConsoleHive(hive, folder);
    }

    @Test
    void shouldShowEachFileOnceInPagesThatAreNotMuchLargerThanWanted() {
        for (int i = 0; i < 600; i++) {
            console.makeFile("file" + i, 1);
        }

        List<FilePage> pages = pages("file");

        assertThat(pages).allSatisfy(page -> assertThat(page.files()).hasSizeLessThan(220));
        assertThat(pages.stream().flatMap(page -> page.files().stream()).map(FileView::name))
                .hasSize(600)
                .doesNotHaveDuplicates();
    }

    /** The answer has to fit into a line of the control socket, and making it keeps all desktops waiting. */
    @Test
    void shouldShowSomeNamesOfAFileWithMany() {
        long file = console.makeFile("backup", 1);
        for (int i = 0; i < 100; i++) {
            desktop.ok(Ask.link(file, Namespace.ROOT, "name" + i));
        }

        assertThat(pages("name").stream().flatMap(page -> page.files().stream()).map(FileView::name))
                .hasSize(Search.MOST_NAMES)
                .doesNotHaveDuplicates();
        assertThat(pages("name99").stream().flatMap(page -> page.files().stream()))
                .hasSize(1);
    }

    @Test
    void shouldFindWhatIsInADirectoryHoweverItsPathIsGiven() {
        long projects = console.makeDirectory("projects");
        console.makeDirectory("projects-of-old");
        desktop.ok(Ask.mkdir(projects, "deep", 0755));
        long file = console.makeFile("report", 1);
        desktop.ok(Ask.link(file, projects, "report of today"));

        for (String under : List.of("projects", "/projects", "//projects/")) {
            assertThat(console.model().files().find("*", under, 0).files())
                    .extracting(FileView::path)
                    .containsExactlyInAnyOrder("/projects/deep", "/projects/report of today");
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchDirectory() {
        console.makeFile("report", 1);

        assertThatThrownBy(() -> console.model().files().find("report", "nowhere", 0))
                .isInstanceOf(PosixException.class)
                .hasMessage("there is no nowhere in the hive");
        assertThatThrownBy(() -> console.model().files().find("report", "/report", 0))
                .isInstanceOf(PosixException.class)
                .hasMessage("/report is no directory");
    }

    private List<FilePage> pages(String pattern) {
        List<FilePage> pages = new ArrayList<>();
        Long after = 0L;
        while (after != null) {
            FilePage page = console.model().files().find(pattern, "/", after.intValue());
            pages.add(page);
            after = page.next();
        }
        return pages;
    }
}
