package org.beefs.cli.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WarmupReportTest {
    private final WarmupCounts counts = new WarmupCounts();

    @Test
    void shouldSayWhatWasHereAndWhatCame() {
        expect(3);
        counts.present();
        counts.brought(1 << 20);
        counts.brought(1 << 20);

        assertThat(counts.report().isComplete()).isTrue();
        assertThat(counts.report().render()).isEqualTo("3 files, 3.0 MiB: 1 were here, 2 came (2.0 MiB).");
    }

    @Test
    void shouldNameWhatIsMissingWithoutCommandingTheTerminal() {
        expect(2);
        counts.present();
        counts.missing(Path.of("a\033[2J"), "a\033[2J is being written");

        assertThat(counts.report().isComplete()).isFalse();
        assertThat(counts.report().render())
                .contains("a?[2J is being written", "1 are not here; run it again to go on.")
                .doesNotContain("\033");
    }

    @Test
    void shouldCountAllAndNameAHundred() {
        for (int i = 0; i < 150; i++) {
            counts.missing(Path.of("f" + i), "f" + i + " is being written");
        }

        assertThat(counts.report().missing()).isEqualTo(150);
        assertThat(counts.report().named()).hasSize(100);
    }

    private void expect(int files) {
        for (int i = 0; i < files; i++) {
            counts.expect(new LocalCopy(Path.of("f" + i), 1 << 20));
        }
    }
}
