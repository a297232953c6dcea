package org.beefs.cli.bench.queen;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.beefs.cli.bench.queen.QueenReport.Phase;
import org.beefs.cli.bench.queen.QueenReport.Round;
import org.beefs.cli.process.ProcessUsage;
import org.beefs.common.config.Addresses;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.tcp.HiveKey;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that load a queen-bee, each in a folder of its own, so that they take no leases from one another. Not
 * thread-safe.
 */
@ProductionOnly
final class QueenBench {
    /** The queen-bee's thread that serves connections and the namespace, as the system calls it. */
    private static final String SERVING = "beefs-net";

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final SystemClock clock = new SystemClock();
    private final TcpNetwork network;
    private final Executor thread;
    private final Plan plan;
    private final Consumer<String> progress;
    private final List<QueenSession> sessions = new ArrayList<>();
    private final List<BenchFolder> folders = new ArrayList<>();

    /**
     * What is to be done.
     *
     * @param key the hive's, if it has one
     * @param process the queen-bee's, if she is on this machine
     * @param depth requests that each session has under way
     * @param time of each phase of each round
     * @param pace requests a second of the paced phases; 0 for half of what was reached before
     */
    record Plan(
            InetSocketAddress address,
            @Nullable HiveKey key,
            OptionalLong process,
            int sessions,
            int depth,
            int rounds,
            Duration time,
            int pace) {}

    /** Progress is told one short sentence before each phase. */
    QueenBench(Plan plan, Consumer<String> progress) {
        this.network = new TcpNetwork(1, plan.key());
        this.thread = network.thread();
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Fails with {@link PosixException} when the queen-bee does not answer, or answers with a failure. Leaves nothing
     * with her.
     */
    QueenReport run() throws IOException, InterruptedException {
        try {
            openSessions();
            round("warm-up (not counted)");
            List<Map<LoadPhase, Round>> rounds = new ArrayList<>();
            for (int number = 1; number <= plan.rounds(); number++) {
                rounds.add(round("round " + number + " of " + plan.rounds()));
            }
            return report(rounds);
        } finally {
            leave();
            network.close();
        }
    }

    private QueenReport report(List<Map<LoadPhase, Round>> rounds) {
        List<Phase> phases = new ArrayList<>();
        for (LoadPhase phase : LoadPhase.values()) {
            phases.add(new Phase(
                    phase.title(),
                    rounds.stream().map(round -> round.get(phase)).toList()));
        }
        return new QueenReport(Addresses.format(plan.address()), plan.sessions(), plan.depth(), plan.rounds(), phases);
    }

    /** Removes all that was made, and says goodbye. */
    private void leave() throws InterruptedException {
        try {
            for (BenchFolder folder : folders) {
                folder.remove();
            }
            for (QueenSession session : sessions) {
                session.end();
            }
        } catch (PosixException e) {
            progress.accept("what was made is left in folders .bench-* of the hive's top: " + e.getMessage());
        }
    }

    private void openSessions() throws InterruptedException {
        long process = clock.bootNanos();
        for (int number = 0; number < plan.sessions(); number++) {
            String name = "bench-%x-%d".formatted(process, number);
            QueenSession session = QueenSession.open(network, thread, plan.address(), name, process);
            sessions.add(session);
            BenchFolder folder = BenchFolder.make(session, "." + name);
            folders.add(folder);
            folder.fill(plan.depth());
        }
    }

    private Map<LoadPhase, Round> round(String name) throws IOException, InterruptedException {
        Map<LoadPhase, Round> round = new EnumMap<>(LoadPhase.class);
        double before = 0;
        for (LoadPhase phase : LoadPhase.values()) {
            progress.accept(name + ": " + phase.title());
            Round measured = measure(phase, phase.isPaced() ? pace(before) : 0);
            before = measured.perSecond();
            round.put(phase, measured);
        }
        return round;
    }

    private double pace(double reached) {
        return plan.pace() == 0 ? reached / 2 : plan.pace();
    }

    /** @param perSecond how often something is asked; 0 for as often as there are answers */
    private Round measure(LoadPhase phase, double perSecond) throws IOException, InterruptedException {
        Load load = new Load(clock, thread);
        List<Lane> lanes = lanes(phase, load, perSecond);
        ProcessUsage queenBee = queenBee();
        ProcessUsage client = client();
        ResponseTimes answered = load.run(lanes, plan.time());
        return round(answered, queenBee().since(queenBee), client().since(client));
    }

    /** They take turns, so that requests are due evenly. */
    private List<Lane> lanes(LoadPhase phase, Load load, double perSecond) {
        boolean alone = phase == LoadPhase.ROUND_TRIP;
        int depth = alone ? 1 : plan.depth();
        int asking = alone ? 1 : plan.sessions();
        double distance = perSecond == 0 ? 0 : NANOS_PER_SECOND / perSecond;
        long begin = clock.bootNanos();
        List<Lane> lanes = new ArrayList<>();
        for (int file = 0; file < depth; file++) {
            for (int number = 0; number < asking; number++) {
                BenchFolder folder = folders.get(number);
                Script script = phase.changes() ? folder.change(file) : folder.look(file);
                long due = begin + Math.round(lanes.size() * distance);
                long own = Math.round(distance * depth * asking);
                lanes.add(new Lane(sessions.get(number), script, load, clock, due, own));
            }
        }
        return lanes;
    }

    private static Round round(ResponseTimes answered, ProcessUsage queenBee, ProcessUsage client) {
        double answers = Math.max(1, answered.count());
        return new Round(
                answered.perSecond(),
                answered.percentile(0.5) / NANOS_PER_MICRO,
                answered.percentile(0.99) / NANOS_PER_MICRO,
                queenBee.cpuNanos(name -> name.startsWith(SERVING)) / NANOS_PER_MICRO / answers,
                queenBee.cpuNanos() / NANOS_PER_MICRO / answers,
                queenBee.switches() / answers,
                client.cpuNanos() / NANOS_PER_MICRO / answers);
    }

    private ProcessUsage queenBee() throws IOException {
        return plan.process().isPresent() ? ProcessUsage.of(plan.process().getAsLong()) : ProcessUsage.NONE;
    }

    private static ProcessUsage client() throws IOException {
        return ProcessUsage.of(ProcessHandle.current().pid());
    }
}
