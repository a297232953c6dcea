package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.queenbee.console.model.file.Usage;
import org.beefs.queenbee.console.model.file.Usage.Amount;
import org.beefs.queenbee.console.model.file.Usage.Part;
import org.junit.jupiter.api.Test;

class UsageViewTest {
    private static final Amount NOTHING = new Amount(0, 0, 0, 0);

    @Test
    void shouldShowPartsAndTheWhole() {
        Usage usage = new Usage(
                "/projects",
                new Amount(12, 3, 5 << 20, 15 << 20),
                List.of(
                        new Part("plans", 7, true, new Amount(10, 2, 4 << 20, 12 << 20)),
                        new Part("a\u001bb", 8, false, new Amount(1, 0, 1 << 20, 3 << 20))),
                new Amount(1, 0, 0, 0));

        assertThat(UsageView.render(usage).lines().map(line -> line.strip().replaceAll("  +", "|")))
                .startsWith("SIZE|STORED|FILES|DIRECTORIES|NAME")
                .anyMatch(line -> line.endsWith("|10|2|plans/"))
                .anyMatch(line -> line.endsWith("|1|0|(all others)"))
                .anyMatch(line -> line.endsWith("|12|3|/projects"))
                .noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void shouldNotSpeakOfOthersWhereThereAreNone() {
        assertThat(UsageView.render(new Usage("/", NOTHING, List.of(), NOTHING)))
                .doesNotContain("others");
    }
}
