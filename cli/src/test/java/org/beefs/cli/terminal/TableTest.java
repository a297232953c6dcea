package org.beefs.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void shouldAlignTextToTheLeftAndNumbersToTheRight() {
        Table table = new Table("name", "pid", "used");
        table.add("queenbee", "7", "-");
        table.add("d1", "12345", "1.5 GiB");

        assertThat(table.render()).isEqualTo("""
                        NAME        PID     USED
                        queenbee      7        -
                        d1        12345  1.5 GiB
                        """);
    }

    @Test
    void shouldGoOnInTheSameColumnsWithoutAHeading() {
        Table table = new Table("name", "size", "on");
        table.add("report", "12 B", "a");
        assertThat(table.render()).isEqualTo("""
                        NAME    SIZE  ON
                        report  12 B  a
                        """);

        Table more = table.continued();
        more.add("a", "1 B", "b");
        assertThat(more.render()).isEqualTo("""
                        a        1 B  b
                        """);

        Table most = more.continued();
        most.add("longer-than-that", "1 B", "c");
        assertThat(most.render()).isEqualTo("""
                        longer-than-that   1 B  c
                        """);
    }

    @Test
    void shouldAlignWhatIsWideOrHasNoWidth() {
        Table table = new Table("name", "size");
        table.add("漢字.txt", "1 B");
        table.add("é", "2 B");
        table.add("e\u0301", "3 B");
        table.add("🐝", "4 B");

        assertThat(table.render()).isEqualTo("""
                        NAME      SIZE
                        漢字.txt   1 B
                        é          2 B
                        e\u0301          3 B
                        🐝         4 B
                        """);
    }

    @Test
    void shouldNotLetCellsCommandTheTerminal() {
        Table table = new Table("name", "pid");
        table.add("d\u001b[2J\t1", "7");

        assertThat(table.render()).isEqualTo("""
                        NAME     PID
                        d?[2J?1    7
                        """);
    }

    @Test
    void shouldGoOnInFurtherLinesWhereATerminalIsNarrow() {
        Table table = new Table("size", "name", "replicas");
        table.add("5 B", "a-name-that-is-long.txt", "desktop1*, desktop2");

        assertThat(table.render(33)).isEqualTo("""
                        SIZE  NAME          REPLICAS
                         5 B  a-name-that-  desktop1*,
                              is-long.txt   desktop2
                        """);
        assertThat(table.render(80).lines()).hasSize(2);
    }

    @Test
    void shouldLeaveNoSpacesAtTheEndsOfLines() {
        Table table = new Table("mount", "");
        table.add("/mnt/hive", "");

        assertThat(table.render().lines()).containsExactly("MOUNT", "/mnt/hive");
    }

    @Test
    void shouldRefuseRowsOfAnotherWidth() {
        assertThatThrownBy(() -> new Table("one").add("a", "b")).isInstanceOf(IllegalArgumentException.class);
    }
}
