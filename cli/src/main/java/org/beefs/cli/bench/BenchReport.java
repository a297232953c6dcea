package org.beefs.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.view.Report;

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

    /**
     * All phases in one directory, and their sum as the last.
     *
     * @param daemons whether daemons of a hive are behind it, of which the phases tell
     */
    public record DirectoryResult(String directory, boolean daemons, List<PhaseResult> phases) {}

    /**
     * One phase.
     *
     * @param seconds each measurement, in the order of the rounds
     * @param ratio of the median to that in the first directory
     * @param cpuSeconds median of what all daemons of the hive on this machine used meanwhile
     * @param switches of context of their threads, likewise
     * @param residentBytes of their memory at its end, likewise
     */
    public record PhaseResult(
            String phase,
            double median,
            double minimum,
            double maximum,
            double ratio,
            List<Double> seconds,
            double cpuSeconds,
            double switches,
            double residentBytes) {}

    static BenchReport of(Workload.Subject subject, int rounds, Measurements measurements) {
        List<DirectoryResult> results = measurements.places().stream()
                .map(place -> new DirectoryResult(
                        place.directory().toString(), place.hasDaemons(), phases(measurements, place)))
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

    /**
     * A table for people: for each phase and directory the median in seconds, the spread, the ratio, and what daemons
     * have used.
     */
    @Override
    public String render() {
        Table table = new Table(
                "phase", "directory", "median s", "min s", "max s", "spread", "ratio", "daemons s", "switches", "MiB");
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
                String.format(Locale.ROOT, "%.2f", result.ratio()),
                ofDaemons(directory, "%.3f", result.cpuSeconds()),
                ofDaemons(directory, "%.0f", result.switches()),
                ofDaemons(directory, "%.0f", result.residentBytes() / (1 << 20)));
    }

    private static String ofDaemons(DirectoryResult directory, String format, double value) {
        return directory.daemons() ? String.format(Locale.ROOT, format, value) : "-";
    }

    private static List<PhaseResult> phases(Measurements measurements, Place place) {
        Place first = measurements.places().getFirst();
        List<PhaseResult> results = new ArrayList<>();
        for (String phase : measurements.phases()) {
            results.add(result(phase, measurements.of(place, phase), measurements.of(first, phase)));
        }
        results.add(result(TOTAL, measurements.totals(place), measurements.totals(first)));
        return results;
    }

    private static PhaseResult result(String phase, List<Measured> measured, List<Measured> first) {
        Summary summary = summary(measured, Measured::seconds);
        return new PhaseResult(
                phase,
                summary.median(),
                summary.minimum(),
                summary.maximum(),
                summary.ratioTo(summary(first, Measured::seconds)),
                measured.stream().map(Measured::seconds).toList(),
                summary(measured, Measured::cpuSeconds).median(),
                summary(measured, Measured::switches).median(),
                summary(measured, Measured::residentBytes).median());
    }

    private static Summary summary(List<Measured> measured, ToDoubleFunction<Measured> what) {
        return Summary.of(
                measured.stream().map(each -> what.applyAsDouble(each)).toList());
    }
}
