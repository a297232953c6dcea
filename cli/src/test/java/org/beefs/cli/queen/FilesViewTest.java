package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.file.FileView.Content;
import org.beefs.queenbee.console.model.file.FileView.Replica;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FilesViewTest {
    private static final String TIME = "2026-11-22T10:20:30.5Z";

    @Test
    void shouldSayWhereReplicasAreAndWhatIsWrongWithThem() {
        Content content = new Content(
                7,
                1,
                false,
                List.of(
                        new Replica("desk1", "primary", 7, "current", "awake"),
                        new Replica("desk2", "secondary", 6, "stale", "asleep")));

        assertThat(view(false).render(List.of(file("report", content))))
                .contains("-rw-r--r--  1000:100  2.0 KiB  2026-11-22 10:20  report  desk1*, desk2 stale asleep");
    }

    @Test
    void shouldNotLetANameCommandTheTerminal() {
        assertThat(view(true).render(List.of(file("a\u001b[31m\nb\u202e", null))))
                .contains("/a?[31m?b?")
                .doesNotContain("\u001b");
    }

    @Test
    void shouldShowNothingOfNothing() {
        assertThat(view(false).render(List.of())).isEmpty();
    }

    /** Nobody reads a server's clock in another zone than his. */
    @Test
    void shouldShowTimesOfThePlaceWhereTheyAreRead() {
        FilesView view = new FilesView(false, ZoneId.of("Asia/Kolkata"));

        assertThat(view.render(List.of(file("report", null)))).contains(" 2026-11-22 15:50 ");
    }

    @Test
    void shouldRepeatNoHeadingForFurtherPages() {
        FilesView view = view(false);

        assertThat(view.render(List.of(file("report", null)))).startsWith("MODE ");
        assertThat(view.render(List.of(file("a", null))))
                .isEqualTo("-rw-r--r--  1000:100  2.0 KiB  2026-11-22 10:20  a\n");
    }

    private static FilesView view(boolean paths) {
        return new FilesView(paths, ZoneOffset.UTC);
    }

    private static FileView file(String name, @Nullable Content content) {
        return new FileView(
                name,
                "/" + name,
                5,
                "file",
                "-rw-r--r--",
                1000,
                100,
                2048,
                1,
                TIME,
                TIME,
                TIME,
                null,
                null,
                content,
                null);
    }
}
