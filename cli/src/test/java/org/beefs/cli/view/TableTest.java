package org.beefs.cli.view;

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
