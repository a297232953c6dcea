package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
    @Test
    void shouldSuggestWhatCanBeDoneWithANewHive() {
        assertThat(new Suggestions(Path.of("/home/maria/hive"), null, true, true)
                        .render()
                        .lines())
                .containsExactly(
                        "Try:",
                        "  cp -r /usr/include /home/maria/hive && ls /home/maria/hive",
                        "  ./beefs mount hive2 --desktop desktop2     the same files through another desktop",
                        "  ./beefs status",
                        "  ./beefs down     stops it all; the next up finds the files again");
    }

    @Test
    void shouldNotSuggestToMountWhereThereIsAMountOrNoDesktop() {
        assertThat(new Suggestions(Path.of("/hive"), null, false, true).render())
                .doesNotContain("beefs mount");
    }

    @Test
    void shouldNotSuggestToStoreWhatThereIsNoRoomFor() {
        assertThat(new Suggestions(Path.of("/hive"), null, true, false).render())
                .startsWith("Try:\n  ./beefs mount hive2")
                .doesNotContain("cp -r");
    }

    @Test
    void shouldQuoteForTheShell() {
        assertThat(new Suggestions(Path.of("/tmp/my hive"), Path.of("/tmp/maria's $HOME"), true, true).render())
                .contains(
                        "cp -r /usr/include '/tmp/my hive' && ls '/tmp/my hive'\n",
                        "./beefs mount hive2 --desktop desktop2 --state '/tmp/maria'\\''s $HOME' ",
                        "./beefs status --state '/tmp/maria'\\''s $HOME'\n");
    }

    @Test
    void shouldLeaveOpenWhereTheHiveIsMounted() {
        assertThat(new Suggestions(null, null, false, true).render()).contains("cp -r /usr/include DIR && ls DIR");
    }
}
