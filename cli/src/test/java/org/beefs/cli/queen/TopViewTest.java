package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.beefs.queenbee.console.model.client.ActivityView;
import org.beefs.queenbee.console.model.client.Asked;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.journal.DiskSpace;
import org.junit.jupiter.api.Test;

class TopViewTest {

    @Test
    void shouldShowUsersByTheNamesThatThereAre() {
        TopReport report = between(List.of(), List.of(asked("desk1", "1234", Map.of("lookup", 2L))));

        assertThat(rows(report)).contains("desk1|maria|1.0|lookup 1.0");
        assertThat(report.users().getFirst().user()).isEqualTo("1234");
    }

    @Test
    void shouldShowTheBusiestFirst() {
        TopReport report = between(
                List.of(asked("desk1", "1000", Map.of("lookup", 100L)), asked("desk2", "1000", Map.of("create", 7L))),
                List.of(
                        asked("desk1", "1000", Map.of("lookup", 110L, "read_symbolic_link", 5L)),
                        asked("desk2", "1000", Map.of("create", 407L)),
                        asked("desk2", "daemon", Map.of("release", 3L))));

        assertThat(report.requestsPerSecond()).isEqualTo(209);
        assertThat(rows(report))
                .containsSubsequence(
                        "DESKTOP|USER|REQUESTS/S|MOST OF ALL",
                        "desk2|1000|200|create 200",
                        "desk1|1000|7.5|lookup 5.0, read symbolic link 2.5",
                        "desk2|daemon|1.5|release 1.5");
        assertThat(rows(report))
                .startsWith(
                        "All files are well.",
                        "209 requests/s, half in 0.12 ms, 99 % in 2.50 ms; 1.0 MiB to copy, 512.0 KiB/s");
    }

    @Test
    void shouldCountFromTheStartOfASessionThatHasBegunAnew() {
        TopReport report = between(
                List.of(asked("desk1", "0", Map.of("lookup", 1000L))),
                List.of(asked("desk1", "0", Map.of("lookup", 4L))));

        assertThat(report.users()).extracting(TopReport.Busy::requestsPerSecond).containsExactly(2.0);
    }

    @Test
    void shouldLeaveOutWhoAsksNothing() {
        List<Asked> same = List.of(asked("desk1", "0", Map.of("lookup", 4L)));

        assertThat(between(same, same).users()).isEmpty();
        assertThat(rows(between(same, same))).contains("Nobody asks the queen-bee anything.");
    }

    @Test
    void shouldShowOnlyTheBusiestOfMany() {
        List<Asked> many = IntStream.range(0, 30)
                .mapToObj(i -> asked("desk" + i, "0", Map.of("lookup", 2L * i + 2)))
                .toList();

        assertThat(rows(between(List.of(), many)))
                .anyMatch(row -> row.startsWith("desk29|0|30|"))
                .noneMatch(row -> row.startsWith("desk9|"))
                .endsWith("and 10 more");
    }

    private static Asked asked(String desktop, String user, Map<String, Long> requests) {
        return new Asked(desktop, user, requests);
    }

    private static TopReport between(List<Asked> before, List<Asked> after) {
        HiveView.Copies copies = new HiveView.Copies(0, 0, List.of(), 0, 1, 1 << 20, 512 << 10, null, 0, 0, 0, 0, 0, 0);
        HiveView.Space space = new HiveView.Space(0, 0);
        HiveView hive = new HiveView(
                "2026-01-01T00:00:00Z",
                "All files are well.",
                true,
                List.of(),
                "id",
                1,
                1,
                0,
                space,
                space,
                copies,
                new HiveView.Load(0, 120, 2500, 0, 0, 0, 0, 0, 0, 0),
                new HiveView.Records(0, 0, null, List.of()),
                "",
                0,
                DiskSpace.UNKNOWN);
        return TopReport.between(
                new ActivityView(5000, before), new ActivityView(7000, after), hive, TopViewTest::name);
    }

    private static List<String> rows(TopReport report) {
        return TopView.render(report)
                .lines()
                .map(line -> line.strip().replaceAll("  +", "|"))
                .toList();
    }

    private static Optional<String> name(String user) {
        return user.equals("1234") ? Optional.of("maria") : Optional.empty();
    }
}
