package org.beefs.cli.bench.queen;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.beefs.cli.bench.Summary;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.view.Report;

/**
 * How the queen-bee did; its JSON is an interface: fields are added, never renamed.
 *
 * @param queenBee where she listens
 * @param sessions that asked
 * @param depth requests that each had under way
 * @param rounds of each phase, after one that only warms up
 */
public record QueenReport(String queenBee, int sessions, int depth, int rounds, List<Phase> phases) implements Report {

    /** What was asked, and each round of it. */
    public record Phase(String phase, List<Round> rounds) {
        Summary summary(ToDoubleFunction<Round> what) {
            return Summary.of(
                    rounds.stream().map(round -> what.applyAsDouble(round)).toList());
        }
    }

    /**
     * One round.
     *
     * @param perSecond requests that were answered
     * @param p50Micros half of them took at most so long
     * @param p99Micros all but a hundredth of them likewise
     * @param threadMicros processor time of the queen-bee's one thread that serves, for a request; 0 when she is not on
     *     this machine
     * @param processMicros of all her threads: with the compiler, the collector and the database
     * @param switches of her threads, for a request
     * @param clientMicros of this program, for a request
     */
    public record Round(
            double perSecond,
            double p50Micros,
            double p99Micros,
            double threadMicros,
            double processMicros,
            double switches,
            double clientMicros) {}

    /** A table for people, of medians. */
    @Override
    public String render() {
        Table table = new Table(
                "phase",
                "per second",
                "spread",
                "p50 us",
                "p99 us",
                "thread us",
                "process us",
                "switches",
                "client us",
                "a core serves");
        for (Phase phase : phases) {
            double thread = phase.summary(Round::threadMicros).median();
            table.add(
                    phase.phase(),
                    number(0, phase.summary(Round::perSecond).median()),
                    number(0, 100 * phase.summary(Round::perSecond).spread()) + "%",
                    number(0, phase.summary(Round::p50Micros).median()),
                    number(0, phase.summary(Round::p99Micros).median()),
                    number(2, thread),
                    number(2, phase.summary(Round::processMicros).median()),
                    number(2, phase.summary(Round::switches).median()),
                    number(2, phase.summary(Round::clientMicros).median()),
                    thread == 0 ? "-" : number(0, 1e6 / thread));
        }
        return String.format(
                        Locale.ROOT,
                        "the queen-bee at %s: %d sessions, %d requests under way in each; %d rounds%n%n",
                        queenBee,
                        sessions,
                        depth,
                        rounds)
                + table.render();
    }

    private static String number(int digits, double value) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
