package org.beefs.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.beefs.simulator.Marks.Consequence;
import org.beefs.simulator.client.FinalLook;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.LockBook;
import org.beefs.simulator.client.SimClient;
import org.beefs.simulator.client.Whereabouts;
import org.beefs.simulator.client.Workload;
import org.beefs.simulator.hive.Bounds;
import org.beefs.simulator.hive.ExtraReplicas;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.ModelState;
import org.beefs.simulator.model.UndecidedException;
import org.beefs.simulator.world.NetworkWeather;
import org.beefs.simulator.world.World;
import org.jspecify.annotations.Nullable;

/** One run: a scenario under a seed. The same seed and scenario do the same, event by event. */
public final class Simulation {
    private static final long SECOND = 1_000_000_000;

    /** Virtual time in which any operation must end: twice the longest that a client waits. */
    private static final long MAX_OPERATION = 600 * SECOND;

    /** Virtual time after which nothing that was sent is under way any more, and a lease has passed. */
    private static final long SETTLING = 3 * NetworkWeather.LATE_NANOS + 33 * SECOND;

    /** Virtual time in which a hive without faults has put everything in order: more than two leases. */
    static final long QUIET = 90 * SECOND;

    /**
     * Virtual time that the quiet times at the end lack until a honeycomb whose disk was full has what it should have:
     * it is passed over for five minutes, and files that lack replicas are looked at again half a minute later at most.
     */
    private static final long NEXT_LOOK = 60 * SECOND;

    /** Virtual time after which copies are tried again between desktops that did not reach one another for long. */
    private static final long NEXT_TRY = 600 * SECOND;

    /** Desktops that are lost where files promise to be on several. */
    private static final int LOSSES = 2;

    /**
     * Virtual time after which files go on elsewhere whose desktop was declared lost: whoever has one open waits for
     * the desktop at first, and a file that is still open then is looked at again after a minute.
     */
    private static final long RESTORING = 300 * SECOND;

    /** Operations between two moments at which all is calm, at most. */
    private static final int STORM = 60;

    /** Virtual time between two operations while a desktop stays away, at most. */
    private static final long LEISURE = 5 * SECOND;

    private final long seed;
    private final Scenario scenario;
    private final World world;
    private final Bounds bounds;
    private final Hive hive;
    private final History history;
    private final LockBook locks;
    private final List<SimClient> clients;
    private final Workload workload;
    private final AppearedCopies copies;
    private final Faults faults;
    private final SplittableRandom random;
    private final Marks marks = new Marks();
    private final AbsenceMarks absences;
    private int step;

    public Simulation(long seed, Scenario scenario) {
        this(seed, scenario, false);
    }

    /** @param trace whether to print everything that happens */
    public Simulation(long seed, Scenario scenario, boolean trace) {
        this.seed = seed;
        this.scenario = scenario;
        this.random = new SplittableRandom(seed);
        this.world = new World(random.split());
        this.bounds = Bounds.draw(new SplittableRandom(~seed));
        this.hive = new Hive(world, scenario.storage(), bounds, scenario.sabotage());
        this.history = new History(
                world.scheduler(),
                ModelState.empty(Hive.ROOT_PERMISSIONS),
                scenario.rules(),
                scenario.mayFail(),
                trace);
        this.locks = new LockBook(hive.queenBee()::hasSession);
        this.clients = hive.desktops().stream()
                .map(desktop -> new SimClient(
                        desktop.host().name(),
                        history,
                        desktop::kernel,
                        locks,
                        desktop::session,
                        whereabouts(desktop),
                        desktop::settled))
                .toList();
        this.workload =
                new Workload(random.split(), scenario.oneAtATime(), scenario.isAboutContent(), this::isReadInPages);
        this.copies = new AppearedCopies(hive, history, scenario.mayFail(), this::runUntil);
        this.absences = new AbsenceMarks(hive, marks);
        this.faults = new Faults(scenario, hive, clients, history, random.split(), marks);
    }

    private boolean isReadInPages(long inode) {
        return clients.stream().anyMatch(client -> client.readsInPages(inode));
    }

    private Whereabouts whereabouts(SimDesktop desktop) {
        return new Whereabouts() {
            @Override
            public boolean isHere(long inode) {
                return desktop.host().name().equals(hive.queenBee().primaryOf(inode));
            }

            @Override
            public boolean isElsewhere(long inode) {
                // Of who was lost once nobody knows what he had open then.
                String place = marks.times(Consequence.LOST) > 0
                        ? null
                        : hive.queenBee().primaryOf(inode);
                return place != null && !place.equals(desktop.host().name());
            }
        };
    }

    /**
     * Runs it to its end; throws {@link SimulationFailure} at the first thing that is wrong. False when it ended early,
     * because too many operations overlapped for what follows to be checked.
     */
    public boolean run() {
        Defects.tell(defect -> history.fail(Invariant.NO_DEFECT, "a defect was logged: " + defect));
        try {
            begin();
            if (scenario.losesPower()) {
                runUntilPowerFails();
            } else if (scenario.losesADesktop()) {
                runWithoutADesktop();
            } else if (scenario.promisesCopies()) {
                runWithPromises();
            } else {
                runThroughStorms();
            }
            marks.add(Consequence.ANSWERED, history.answers());
            marks.add(Consequence.FAILED, history.ambiguous());
            return true;
        } catch (UndecidedException e) {
            history.note(e.toString());
            return false;
        } catch (SimulationFailure failure) {
            throw failure;
        } catch (RuntimeException | AssertionError e) {
            throw failure(new Breach(Invariant.NO_DEFECT, "something threw: " + e), e);
        } finally {
            Defects.tellNobody();
        }
    }

    /** What has gone wrong in it, and how often. */
    public Marks marks() {
        return marks;
    }

    /** The same for two runs that did the same. */
    public long digest() {
        return history.digest() * 31 + world.scheduler().scheduled();
    }

    private void begin() {
        history.note("bounds: " + bounds);
        hive.start();
        runUntil(hive::isReady, "the hive did not come up");
        if (scenario.badNetwork()) {
            NetworkWeather weather = NetworkWeather.draw(random);
            history.note("weather: " + weather);
            world.network().setWeather(weather);
        }
    }

    private void runThroughStorms() {
        for (step = 1; step <= scenario.steps(); step++) {
            oneStep();
            if (step % STORM == 0 || history.isCrowded()) {
                calm();
                if (scenario.recovers()) {
                    recover();
                }
            }
        }
        closeAll();
        calm();
        // From here on one catalog knows only what was: a recovery has to believe the other.
        hive.holdRecords(true);
        for (int last = step + STORM / 2; step < last; step++) {
            oneStep();
        }
        end();
    }

    private void runUntilPowerFails() {
        Runnable operation = () -> {
            step++;
            oneStep();
        };
        new PowerCut(hive, history, clients, workload, faults, this::runUntil, this::runFor, operation, random, marks)
                .run(scenario.steps());
        check();
    }

    private void runWithoutADesktop() {
        for (step = 1; step <= scenario.steps(); step++) {
            oneStep();
            runFor(random.nextLong(SECOND));
        }
        closeAll();
        runFor(QUIET);
        Conflicts conflicts = new Conflicts(hive, history, clients, workload, this::runUntil, random.split(), marks);
        SimDesktop lost = conflicts.choose();
        conflicts.write();
        history.note("FAULT: " + lost.host() + " is cut off, and given up");
        hive.network().cutOff(lost.host());
        conflicts.writePast(lost);
        conflicts.giveUp(lost);
        conflicts.writeElsewhere(lost);
        runFor(QUIET);
        faults.endAll();
        runFor(QUIET);
        conflicts.check(lost);
        check();
    }

    private void runWithPromises() {
        PromisedCopies promised =
                new PromisedCopies(hive, history, this::runUntil, scenario.mayFail(), random.split(), marks);
        Forgetting forgetting = new Forgetting(hive, history, this::runUntil, this::runFor, random.split(), marks);
        List<SimDesktop> gone = new ArrayList<>();
        promised.begin();
        while (gone.size() < LOSSES) {
            int last = step + 1 + random.nextInt(scenario.steps());
            int lostBefore = marks.times(Consequence.LOST);
            while (step++ < last) {
                faults.maybe();
                promised.step();
                absences.mark();
                runFor(random.nextBoolean() ? random.nextLong(SECOND / 50) : random.nextLong(SECOND));
                hive.contradictions().forEach(history::fail);
                check();
            }
            boolean bearsALoss = promised.bearsALoss(marks.times(Consequence.LOST)
                    - lostBefore
                    + hive.desktops().stream()
                            .filter(SimDesktop::hasFailedToSync)
                            .count());
            faults.endAll();
            if (!bearsALoss) {
                runFor(QUIET);
            }
            SimDesktop lost = promised.loseADesktop();
            gone.add(lost);
            runFor(RESTORING);
            hive.queenBee().hasHeardAll();
            promised.check();
            check();
            if (random.nextBoolean()) {
                forgetting.forget(lost, gone, promised.kept());
                check();
            }
        }
    }

    private void oneStep() {
        faults.maybe();
        SimClient client = clients.get(random.nextInt(clients.size()));
        if (client.inFlight() < scenario.inFlight()) {
            switch (faults.state(client)) {
                case SERVED -> workload.next(client, history.state());
                case ORPHANED -> workload.nextPast(client);
                case ASLEEP -> {}
            }
        }
        if (scenario.oneAtATime()) {
            runUntil(this::allIdle, "an operation does not end");
        } else {
            for (int events = random.nextInt(60); events > 0; events--) {
                runEvent();
            }
        }
        if (faults.isLongAbsence()) {
            runFor(random.nextLong(LEISURE));
        }
        absences.mark();
        hive.contradictions().forEach(history::fail);
        locks.contradictions().forEach(wrong -> history.fail(Invariant.LOCKS, wrong));
    }

    /** Lets all faults end and everything that is under way arrive. */
    private void calm() {
        faults.endAll();
        checkWhoWaits();
        clients.forEach(SimClient::interruptAll);
        runUntil(this::allIdle, "an operation does not end");
        runFor(SETTLING);
        hive.queenBee().hasHeardAll();
        hive.contradictions().forEach(history::fail); // which the loss of her power has hidden
        locks.settle();
        clients.forEach(SimClient::settle);
        history.settle();
        copies.learn();
        if (scenario.keepsWhatIsRead()) {
            ExtraReplicas extras = hive.queenBee().extraReplicas();
            marks.add(Consequence.KEPT_WHERE_READ, extras.count());
            extras.outdated().forEach(wrong -> history.fail(Invariant.NOTHING_STALE, wrong));
        }
        history.note("calm after step " + step);
    }

    /** Nobody waits for a lock that is free when he has had time to be told: now, and when all are given up. */
    private void checkWhoWaits() {
        if (clients.stream().anyMatch(SimClient::isAnyWaiting)) {
            runFor(SECOND); // in which faults begin that were drawn before
            faults.endAll();
            checkForgotten();
            clients.forEach(SimClient::unlockAll);
            checkForgotten();
        }
    }

    private void checkForgotten() {
        runFor(SETTLING);
        clients.forEach(client -> client.forgotten().forEach(wrong -> history.fail(Invariant.LOCKS, wrong)));
        check();
    }

    /**
     * The queen-bee loses her disk when catalogs know all: they know nothing of files without a name. Perhaps one of
     * them cannot be asked, and comes when programs are at work again.
     */
    private void recover() {
        if (random.nextBoolean()) {
            closeAll();
        } else {
            closeNameless();
        }
        runFor(QUIET);
        List<SimDesktop> off = random.nextBoolean() ? List.of() : faults.turnOff(hive.dispensable());
        if (!off.isEmpty()) {
            marks.add(Consequence.RECOVERED_WITHOUT_ONE);
        }
        history.note("FAULT: the queen-bee loses her disk, and is rebuilt from catalogs");
        hive.recover(off);
        runUntil(() -> hive.isReadyWithout(off), "the hive does not come back");
    }

    private void end() {
        world.network().setWeather(NetworkWeather.FAIR);
        closeAll();
        calm();
        runFor(QUIET);
        checkRecovery();
        FinalLook look = new FinalLook(history);
        changeAll(look);
        hive.holdRecords(false);
        runFor(QUIET);
        if (scenario.faults().contains(Scenario.Fault.FILL_DISK)) {
            runFor(NEXT_LOOK);
        }
        awaitReport();
        if (hive.isAnyUnreached()) {
            runFor(NEXT_TRY);
        }
        checkRecovery();
        if (scenario.relocates()) {
            emptyADesktop();
        }
        for (SimClient client : clients) {
            look.askAll(client, () -> runUntil(this::allIdle, "a last look does not end"));
        }
        runUntil(this::noneEnding, "the end of an open file is not noticed after the last look");
        if (scenario.storage().replicateOnRead() > 0) {
            runFor(QUIET); // what was looked at is copied
        }
        awaitReport();
        hive.contradictions().forEach(history::fail);
        hive.unrest().forEach(unrest -> history.fail(Invariant.AT_REST, unrest));
        look.contradictions(hive).forEach(wrong -> history.fail(Invariant.AT_REST, wrong));
        check();
    }

    private void awaitReport() {
        hive.askReport();
        runUntil(hive::hasReport, "the queen-bee does not report");
    }

    /** Whoever works on after all faults works as if there had been none. */
    private void changeAll(FinalLook look) {
        history.expectNoFaults();
        for (SimClient client : clients) {
            look.changeAll(client, () -> runUntil(this::allIdle, "a last change does not end"));
        }
        closeAll();
    }

    /** One that is small, because the others have room for all that it holds. */
    private void emptyADesktop() {
        SimDesktop emptied = hive.desktops().get(random.nextInt(2));
        history.note(emptied.host() + " is emptied for good");
        hive.queenBee().drain(emptied, false);
        runFor(QUIET);
        if (!hive.isEmpty(emptied)) {
            history.fail(Invariant.AT_REST, emptied.host() + " still holds replicas long after it was to be emptied");
        }
    }

    /** Nothing is open any more afterwards, and all is calm. */
    private void closeAll() {
        calm();
        while (clients.stream().anyMatch(SimClient::hasOpen)) {
            clients.forEach(SimClient::closeOne);
            runUntil(this::allIdle, "a release does not end");
        }
        runUntil(this::noneEnding, "the end of an open file is not noticed");
    }

    private void closeNameless() {
        while (clients.stream().anyMatch(SimClient::closeNameless)) {
            runUntil(this::allIdle, "a release does not end");
        }
        runUntil(this::noneEnding, "the end of an open file is not noticed");
    }

    /** All that the queen-bee knows can be rebuilt, should she lose her disk. */
    private void checkRecovery() {
        hive.recoveryDifferences().forEach(difference -> history.fail(Invariant.RECOVERABLE, difference));
        check();
    }

    private boolean noneEnding() {
        return clients.stream().noneMatch(SimClient::isEnding);
    }

    private boolean allIdle() {
        return clients.stream().allMatch(SimClient::isIdle);
    }

    private void runFor(long nanos) {
        long end = world.scheduler().now() + nanos;
        boolean[] over = {false};
        world.scheduler().schedule(nanos, () -> over[0] = true);
        while (!over[0] && world.scheduler().now() <= end) {
            runEvent();
        }
    }

    private void runUntil(BooleanSupplier condition, String otherwise) {
        long latest = world.scheduler().now() + MAX_OPERATION;
        while (!condition.getAsBoolean()) {
            runEvent();
            if (world.scheduler().now() > latest) {
                throw failure(
                        new Breach(
                                Invariant.EVERYTHING_ENDS,
                                otherwise + ": "
                                        + clients.stream()
                                                .map(SimClient::waiting)
                                                .toList()),
                        null);
            }
        }
    }

    private void runEvent() {
        if (!world.scheduler().runNext()) {
            throw failure(new Breach(Invariant.EVERYTHING_ENDS, "nothing is ever going to happen"), null);
        }
        check();
    }

    private void check() {
        history.rethrow();
        Breach breach = history.breach();
        if (breach != null) {
            throw failure(breach, null);
        }
    }

    private SimulationFailure failure(Breach breach, @Nullable Throwable cause) {
        return new SimulationFailure(seed, scenario, step, breach, history.trace(), cause);
    }
}
