package org.beefs.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.beefs.cli.view.Report;
import org.beefs.cli.view.Table;

/**
 * The benchmark's result; its JSON is an interface: fields are added, never renamed.
 *
 * @param source what was copied, or made
 * @param folders in the source
 * @param files in the source
 * @param bytes in the source
 * @param compile the command that built the copy; empty where nothing was built
 * @param rounds how often each phase was measured in each directory
 * @param directories in the order in which they were given; ratios are to the first one
 */
public record BenchReport(
        String source,
        int folders,
        int files,
        long bytes,
        String compile,
        int rounds,
        List<DirectoryResult> directories)
        implements Report {

    private static final String TOTAL = "Total";

    /** All phases in one directory, and their sum as the last. */
    public record DirectoryResult(String directory, List<PhaseResult> phases) {}

    /**
     * One phase.
     *
     * @param seconds each measurement, in the order of the rounds
     * @param ratio of the median to that in the first directory
     */
    public record PhaseResult(
            String phase, double median, double minimum, double maximum, double ratio, List<Double> seconds) {}

    static BenchReport of(Workload.Subject subject, int rounds, Measurements measurements) {
        List<DirectoryResult> results = measurements.directories().stream()
                .map(directory -> new DirectoryResult(directory.toString(), phases(measurements, directory)))
                .toList();
        return new BenchReport(
                subject.source(),
                subject.folders(),
                subject.files(),
                subject.bytes(),
                subject.compile(),
                rounds,
                results);
    }

    @Override
    public String render() {
        Table table = new Table("phase", "directory", "median s", "min s", "max s", "spread", "ratio");
        int phases = directories.getFirst().phases().size();
        for (int phase = 0; phase < phases; phase++) {
            for (DirectoryResult directory : directories) {
                addRow(table, directory, directory.phases().get(phase));
            }
        }
        return String.format(
                        Locale.ROOT,
                        "%s: %d folders, %d files, %.1f MB; %d rounds%s%n%n",
                        source,
                        folders,
                        files,
                        bytes / 1e6,
                        rounds,
                        compile.isEmpty() ? "" : "; compiled with: " + compile)
                + table.render();
    }

    private static void addRow(Table table, DirectoryResult directory, PhaseResult result) {
        Summary summary = new Summary(result.median(), result.minimum(), result.maximum());
        table.add(
                result.phase(),
                directory.directory(),
                String.format(Locale.ROOT, "%.3f", result.median()),
                String.format(Locale.ROOT, "%.3f", result.minimum()),
                String.format(Locale.ROOT, "%.3f", result.maximum()),
                String.format(Locale.ROOT, "%.0f%%", 100 * summary.spread()),
                String.format(Locale.ROOT, "%.2f", result.ratio()));
    }

    private static List<PhaseResult> phases(Measurements measurements, Path directory) {
        Path first = measurements.directories().getFirst();
        List<PhaseResult> results = new ArrayList<>();
        for (Phase phase : measurements.phases()) {
            results.add(result(phase.title(), measurements.of(directory, phase), measurements.of(first, phase)));
        }
        results.add(result(TOTAL, measurements.totals(directory), measurements.totals(first)));
        return results;
    }

    private static PhaseResult result(String phase, List<Double> seconds, List<Double> first) {
        Summary summary = Summary.of(seconds);
        return new PhaseResult(
                phase,
                summary.median(),
                summary.minimum(),
                summary.maximum(),
                summary.ratioTo(Summary.of(first)),
                seconds);
    }
}
