package org.beefs.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.cli.fsck.FsckReport.Finding;
import org.junit.jupiter.api.Test;

class FsckReportTest {
    /** What is damaged may have any name. */
    @Test
    void shouldNotLetANameCommandTheTerminal() {
        Finding entry = new Finding(
                "entry", 5, "/a\u001b[31m", "desk1", "Its entry b\u001b[2J\nNothing is wrong names inode 7", "left");
        FsckReport report =
                new FsckReport(2, 0, false, List.of(entry), List.of("desk2: c\u001b[31m"), 0, true, List.of());

        assertThat(report.render())
                .contains("/a?[31m: Its entry b?[2J?Nothing is wrong names inode 7 (desk1). [left]\n")
                .contains("Not checked: desk2: c?[31m.\n")
                .doesNotContain("\u001b");
    }
}
