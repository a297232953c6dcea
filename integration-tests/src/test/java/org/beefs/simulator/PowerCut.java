package org.beefs.simulator;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.beefs.simulator.AfterPowerLoss.Waiting;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.SimClient;
import org.beefs.simulator.client.Workload;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.model.Invariant;

/** Programs work until the power fails somewhere; then it is looked at what is left. */
final class PowerCut {
    private static final long SECOND = 1_000_000_000;

    /** Virtual time in which what was closed gets its version written on its replicas, and is copied. */
    private static final long SEALING = 12 * SECOND;

    /** One of so many operations is followed by such a time. */
    private static final int PAUSES = 8;

    /**
     * In half of the runs one of so many operations is followed by an fsync: what is synced must survive. In the others
     * more is lost.
     */
    private static final int SYNCS = 3;

    /** Operations afterwards, where all desktops have kept their power. */
    private static final int FURTHER = 30;

    /** Where the power fails. */
    enum Outage {
        QUEEN_BEE,
        DESKTOP,
        QUEEN_BEE_AND_DESKTOP,
        EVERYWHERE
    }

    private final Hive hive;
    private final History history;
    private final List<SimClient> clients;
    private final Workload workload;
    private final Faults faults;
    private final Waiting waiting;
    private final LongConsumer passing;
    private final Runnable operation;
    private final RandomGenerator random;
    private final Marks marks;
    private final PowerLoss loss;

    /**
     * @param passing lets so much virtual time pass, in nanoseconds
     * @param operation lets a program do something
     */
    PowerCut(
            Hive hive,
            History history,
            List<SimClient> clients,
            Workload workload,
            Faults faults,
            Waiting waiting,
            LongConsumer passing,
            Runnable operation,
            RandomGenerator random,
            Marks marks) {
        this.hive = hive;
        this.history = history;
        this.clients = clients;
        this.workload = workload;
        this.faults = faults;
        this.waiting = waiting;
        this.passing = passing;
        this.operation = operation;
        this.random = random;
        this.marks = marks;
        this.loss = new PowerLoss(history);
    }

    /** @param most operations before it */
    void run(int most) {
        work(1 + random.nextInt(most));
        Outage outage = Outage.values()[random.nextInt(Outage.values().length)];
        losePower(outage);
        if (random.nextInt(3) == 0) {
            faults.endAll();
            passing.accept(random.nextLong(8 * SECOND));
            losePower(Outage.QUEEN_BEE);
        }
        faults.endAll();
        passing.accept(Simulation.QUIET);
        hive.queenBee().hasHeardAll();
        hive.contradictions().forEach(history::fail);
        hive.recoveryDifferences().forEach(difference -> history.fail(Invariant.RECOVERABLE, difference));
        look(outage);
    }

    private void work(int operations) {
        boolean syncs = random.nextBoolean();
        for (int done = 0; done < operations; done++) {
            operation.run();
            loss.remember();
            if (syncs && random.nextInt(SYNCS) == 0) {
                workload.syncAny(clients.get(random.nextInt(clients.size())));
                waiting.until(() -> clients.stream().allMatch(SimClient::isIdle), "an fsync does not end");
                loss.remember();
            }
            passing.accept(random.nextLong(random.nextInt(PAUSES) == 0 ? SEALING : SECOND / 20));
        }
    }

    private void losePower(Outage outage) {
        history.note("FAULT: the power fails: " + outage);
        marks.add(outage);
        switch (outage) {
            case QUEEN_BEE -> hive.queenBee().losePower();
            case DESKTOP -> losePower(someDesktop());
            case QUEEN_BEE_AND_DESKTOP -> {
                SimDesktop desktop = someDesktop();
                losePower(desktop);
                hive.queenBee().losePower();
            }
            case EVERYWHERE -> hive.losePower();
        }
    }

    private SimDesktop someDesktop() {
        return hive.desktops().get(random.nextInt(hive.desktops().size()));
    }

    private void losePower(SimDesktop desktop) {
        SimClient programs = clients.get(hive.desktops().indexOf(desktop));
        loss.keep(inode -> {
            String primary = hive.queenBee().primaryOf(inode);
            return primary != null && !primary.equals(desktop.host().name()) && !programs.mayBeWriting(inode);
        });
        desktop.losePower();
    }

    private void look(Outage outage) {
        AfterPowerLoss after = new AfterPowerLoss(hive, loss, history, waiting, marks);
        switch (outage) {
            case QUEEN_BEE, DESKTOP -> after.checkLastNames();
            case QUEEN_BEE_AND_DESKTOP -> after.checkNothingIsLost();
            case EVERYWHERE -> after.checkFormerNames();
        }
        // Whoever has kept his power notices nothing, of locks and content neither.
        for (int further = 0; outage == Outage.QUEEN_BEE && further < FURTHER; further++) {
            operation.run();
        }
        after.checkContents();
        if (outage == Outage.EVERYWHERE) {
            after.checkAtRest();
        }
    }
}
