package org.beefs.cli.posixtest;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.beefs.cli.posixtest.Outcome.Verdict;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.view.Report;

/**
 * What became of all tests. Its fields are what {@code --json} prints.
 *
 * @param directory where they ran
 * @param missing suites that could not run, with the reason
 */
record PosixReport(String directory, Map<String, String> missing, List<Outcome> outcomes) implements Report {
    long count(Verdict verdict) {
        return outcomes.stream().filter(outcome -> outcome.verdict() == verdict).count();
    }

    /** Whether every suite ran and nothing failed. */
    boolean succeeded() {
        return missing.isEmpty() && count(Verdict.FAILED) == 0;
    }

    @Override
    public String render() {
        StringBuilder text = new StringBuilder();
        if (!outcomes.isEmpty()) {
            text.append(table().render());
        }
        List<Outcome> failed = outcomes.stream().filter(Outcome::failed).toList();
        if (!failed.isEmpty()) {
            text.append("\nFailed:\n");
            failed.forEach(outcome -> text.append(
                    "  %s %s %s: %s%n".formatted(outcome.suite(), outcome.area(), outcome.test(), outcome.detail())));
        }
        if (!missing.isEmpty()) {
            text.append("\nNot run:\n");
            missing.forEach((suite, reason) -> text.append("  %s: %s%n".formatted(suite, reason)));
        }
        return text.toString();
    }

    private Table table() {
        Table table = new Table("suite", "area", "passed", "failed", "skipped");
        Map<List<String>, List<Outcome>> areas = outcomes.stream()
                .collect(Collectors.groupingBy(
                        outcome -> List.of(outcome.suite(), outcome.area()), LinkedHashMap::new, Collectors.toList()));
        areas.entrySet().stream()
                .sorted(Comparator.comparing(area -> String.join(" ", area.getKey())))
                .forEach(area -> add(table, area.getKey(), area.getValue()));
        add(table, List.of("all", ""), outcomes);
        return table;
    }

    private static void add(Table table, List<String> area, List<Outcome> tests) {
        table.add(
                area.get(0),
                area.get(1),
                count(tests, Verdict.PASSED),
                count(tests, Verdict.FAILED),
                count(tests, Verdict.SKIPPED));
    }

    private static String count(List<Outcome> tests, Verdict verdict) {
        return Long.toString(
                tests.stream().filter(outcome -> outcome.verdict() == verdict).count());
    }
}
