package org.beefs.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.beefs.simulator.Scenario.Fault;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.SimClient;
import org.beefs.simulator.hive.DiskFault;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.world.SimHost;
import org.beefs.simulator.world.SimProcess;

/** Lets things go wrong, at moments drawn from the seed, and ends it again. */
final class Faults {
    private static final long SECOND = 1_000_000_000;

    /** How far a time of day is off at most when it is set: more than any time that counts. */
    private static final long FAR_OFF = 7200 * SECOND;

    /** What nobody takes for lost. */
    private static final long SHORT = 8 * SECOND;

    /** More than twice a lease. */
    private static final long LONG = 80 * SECOND;

    /** One in so many steps begins with a fault. */
    private static final int RARITY = 15;

    /** Where operations may fail, one in so many absences is long: primaries move on and leases end. */
    private static final int LONG_ABSENCES = 3;

    private final Scenario scenario;
    private final Hive hive;
    private final List<SimClient> clients;
    private final History history;
    private final RandomGenerator random;
    private final Marks marks;
    private final List<Fault> possible;
    private long longAbsenceEnds;

    Faults(
            Scenario scenario,
            Hive hive,
            List<SimClient> clients,
            History history,
            RandomGenerator random,
            Marks marks) {
        this.scenario = scenario;
        this.hive = hive;
        this.clients = clients;
        this.history = history;
        this.random = random;
        this.marks = marks;
        // In the order of their names: that of a set may be another one in each process.
        this.possible = new ArrayList<>(List.of(Fault.values()));
        possible.retainAll(scenario.faults());
        // Each run has only some kinds of faults, so that rare ones are not hidden by frequent ones.
        possible.removeIf(fault -> random.nextInt(3) == 0);
    }

    /** What programs can do. */
    enum State {
        /** They can ask a daemon, which may be stopped. */
        SERVED,
        /** Their daemon is dead. */
        ORPHANED,
        /** Their machine sleeps, and they with it. */
        ASLEEP
    }

    State state(SimClient client) {
        SimDesktop desktop = desktop(client);
        if (!desktop.isAwake()) {
            return State.ASLEEP;
        }
        return desktop.isRunning() ? State.SERVED : State.ORPHANED;
    }

    void maybe() {
        if (possible.isEmpty() || random.nextInt(RARITY) != 0) {
            return;
        }
        switch (possible.get(random.nextInt(possible.size()))) {
            case KILL_QUEEN_BEE -> endQueenBee(Fault.KILL_QUEEN_BEE, "the queen-bee is killed", hive.queenBee()::kill);
            case CUT_QUEEN_BEES_POWER ->
                endQueenBee(Fault.CUT_QUEEN_BEES_POWER, "the queen-bee loses her power", hive.queenBee()::losePower);
            case STOP_QUEEN_BEE -> {
                SimProcess queenBee = hive.queenBee().process();
                stop(Fault.STOP_QUEEN_BEE, "queen-bee", queenBee, queenBee::alive);
            }
            case BREAK_LINK -> breakLink();
            case KILL_DESKTOP -> killDesktop(anyDesktop());
            case RESTART_DESKTOP -> restartDesktop(anyDesktop());
            case STOP_DESKTOP -> {
                SimDesktop desktop = anyDesktop();
                stop(Fault.STOP_DESKTOP, "a daemon", desktop.process(), () -> mayGo(desktop));
            }
            case CUT_OFF -> cutOff(anyDesktop());
            case KEEP_APART -> keepApart(anyDesktop());
            case SLEEP -> sleep(anyDesktop());
            case SET_CLOCK ->
                setClock(
                        random.nextBoolean()
                                ? hive.queenBee().host()
                                : anyDesktop().host());
            case FAIL_DISK -> failDisk(Fault.FAIL_DISK, DiskFault.NO_CONTENT, anyDesktop());
            case FILL_DISK -> failDisk(Fault.FILL_DISK, DiskFault.FULL, anyDesktop());
            case FAIL_SYNCS -> failDisk(Fault.FAIL_SYNCS, DiskFault.NO_SYNC, anyDesktop());
            case DRAIN -> drain(anyDesktop());
            case ROT -> rot(anyDesktop());
        }
    }

    void endAll() {
        longAbsenceEnds = 0;
        hive.network().heal();
        hive.queenBee().process().goOn();
        hive.queenBee().ensureRunning();
        hive.desktops().forEach(desktop -> {
            if (scenario.relocates()) {
                hive.queenBee().drain(desktop, true);
            }
            desktop.setFault(DiskFault.NONE, () -> {});
            if (desktop.hasFailedToSync()) {
                startAgain(desktop);
            }
            desktop.wakeUp();
            desktop.process().goOn();
            desktop.ensureRunning();
        });
    }

    /**
     * One of these machines is off for a while, if there is one that nobody uses.
     *
     * @return it
     */
    List<SimDesktop> turnOff(List<SimDesktop> some) {
        List<SimDesktop> unused = some.stream()
                .filter(desktop -> desktop.isRunning() && isUnused(desktop))
                .toList();
        if (unused.isEmpty()) {
            return List.of();
        }
        SimDesktop off = unused.get(random.nextInt(unused.size()));
        history.note("FAULT: " + off.host() + " is turned off, and comes later");
        off.stopInOrder();
        on(off).forEach(SimClient::died);
        later(SHORT, off::ensureRunning);
        return List.of(off);
    }

    private void soon(String what, Runnable fault) {
        hive.scheduler().schedule(random.nextLong(SECOND / 50), () -> {
            history.note("FAULT: " + what);
            fault.run();
        });
    }

    /** Who waits for what is held back waits for some seconds only. */
    private void disturb() {
        clients.forEach(SimClient::disturb);
    }

    private void later(long maxNanos, Runnable end) {
        hive.scheduler().schedule(random.nextLong(maxNanos), end);
    }

    private void setClock(SimHost host) {
        long ahead = random.nextLong(-FAR_OFF, FAR_OFF);
        soon("the clock of " + host + " is set", () -> {
            marks.add(Fault.SET_CLOCK);
            host.setTimeOfDay(ahead);
        });
    }

    private void breakLink() {
        soon("a link breaks", () -> {
            if (hive.network().breakSomeLink()) {
                marks.add(Fault.BREAK_LINK);
            }
        });
    }

    private void endQueenBee(Fault fault, String what, Runnable end) {
        soon(what, () -> {
            marks.add(fault);
            end.run();
            clients.forEach(SimClient::queenBeeDied);
            later(3 * SECOND, hive.queenBee()::ensureRunning);
        });
    }

    private void killDesktop(SimDesktop desktop) {
        soon(desktop.host() + " is killed", () -> {
            if (desktop.isRunning()) {
                marks.add(Fault.KILL_DESKTOP);
                disturb();
                desktop.kill();
                on(desktop).forEach(SimClient::died);
                absent(5 * SECOND, desktop::ensureRunning);
            }
        });
    }

    /** Where no operation may fail, while no program there uses anything. */
    private void restartDesktop(SimDesktop desktop) {
        soon(desktop.host() + " is stopped in order", () -> {
            if (mayGo(desktop) && desktop.process().isCaughtUp() && (scenario.mayFail() || isUnused(desktop))) {
                marks.add(Fault.RESTART_DESKTOP);
                disturb();
                desktop.stopInOrder();
                on(desktop).forEach(SimClient::died);
                absent(5 * SECOND, desktop::ensureRunning);
            }
        });
    }

    /**
     * Whether a desktop may be away from now on. Where no operation may fail it has to be there before: two absences
     * together would be long enough for it to be lost.
     */
    private boolean mayGo(SimDesktop desktop) {
        boolean isThere = desktop.isConnected()
                && desktop.isAwake()
                && desktop.process().isCaughtUp()
                && !hive.network().isCutOff(desktop.host());
        return desktop.isRunning() && (scenario.mayFail() || isThere);
    }

    private List<SimClient> on(SimDesktop desktop) {
        return clients.stream().filter(client -> desktop(client) == desktop).toList();
    }

    private boolean isUnused(SimDesktop desktop) {
        return on(desktop).stream().noneMatch(client -> client.hasOpen() || client.isEnding() || !client.isIdle());
    }

    /** What programs have open there they go on reading past everybody, whatever becomes of it: so nothing is. */
    private void rot(SimDesktop desktop) {
        soon(desktop.host() + " is killed, and its disk forgets a bit", () -> {
            if (desktop.isRunning() && isUnused(desktop)) {
                disturb();
                desktop.kill();
                on(desktop).forEach(SimClient::died);
                if (hive.decay(desktop)) {
                    marks.add(Fault.ROT);
                }
                later(5 * SECOND, desktop::ensureRunning);
            }
        });
    }

    private void stop(Fault fault, String who, SimProcess process, BooleanSupplier may) {
        soon(who + " is stopped", () -> {
            if (process.alive() && may.getAsBoolean()) {
                marks.add(fault);
                disturb();
                process.stop();
                absent(SHORT, process::goOn);
            }
        });
    }

    /** Somebody is away: sometimes for so long that sessions end, if operations may fail. */
    private void absent(long maxNanos, Runnable end) {
        if (scenario.mayFail() && random.nextInt(LONG_ABSENCES) == 0) {
            long away = random.nextLong(LONG / 4, LONG);
            longAbsenceEnds = Math.max(longAbsenceEnds, hive.scheduler().now() + away);
            hive.scheduler().schedule(away, end);
        } else {
            later(maxNanos, end);
        }
    }

    /** Whether somebody stays away for so long that programs elsewhere should take their time. */
    boolean isLongAbsence() {
        return hive.scheduler().now() < longAbsenceEnds;
    }

    /** It counts when something has been refused, once; that may take a while where much is going on. */
    private void failDisk(Fault fault, DiskFault how, SimDesktop desktop) {
        soon("the disk of " + desktop.host() + " fails: " + how, () -> {
            disturb();
            boolean[] refused = new boolean[1];
            desktop.setFault(how, () -> {
                if (!refused[0]) {
                    refused[0] = true;
                    marks.add(fault);
                }
            });
            later((scenario.oneAtATime() ? 3 : 15) * SECOND, () -> desktop.setFault(DiskFault.NONE, () -> {}));
        });
    }

    /** Somebody who reads what its log says starts a daemon again whose disk could not sync. */
    private void startAgain(SimDesktop desktop) {
        if (desktop.isRunning()) {
            history.note(desktop.host() + " is started again, as its disk could not sync");
            disturb();
            desktop.kill();
            on(desktop).forEach(SimClient::died);
        }
    }

    private void drain(SimDesktop desktop) {
        soon(desktop.host() + " is to be emptied", () -> {
            if (hive.queenBee().drain(desktop, false)) {
                marks.add(Fault.DRAIN);
            }
            later(60 * SECOND, () -> hive.queenBee().drain(desktop, true));
        });
    }

    private void sleep(SimDesktop desktop) {
        soon(desktop.host() + " falls asleep", () -> {
            if (mayGo(desktop)) {
                marks.add(Fault.SLEEP);
                disturb();
                desktop.fallAsleep();
                absent(SHORT, () -> {
                    history.note(desktop.host() + " wakes up");
                    desktop.wakeUp();
                });
            }
        });
    }

    private void cutOff(SimDesktop desktop) {
        soon(desktop.host() + " is cut off", () -> {
            if (mayGo(desktop)) {
                marks.add(Fault.CUT_OFF);
                disturb();
                absent(SHORT, hive.network().cutOff(desktop.host()));
            }
        });
    }

    private void keepApart(SimDesktop one) {
        List<SimDesktop> others = new ArrayList<>(hive.desktops());
        others.remove(one);
        SimDesktop other = others.get(random.nextInt(others.size()));
        soon(one.host() + " and " + other.host() + " do not reach one another", () -> {
            if (one.isRunning() && other.isRunning()) {
                marks.add(Fault.KEEP_APART);
                disturb();
                absent(SHORT, hive.network().keepApart(one.host(), other.host()));
            }
        });
    }

    private SimDesktop anyDesktop() {
        return hive.desktops().get(random.nextInt(hive.desktops().size()));
    }

    private SimDesktop desktop(SimClient client) {
        return hive.desktops().stream()
                .filter(desktop -> desktop.host().name().equals(client.toString()))
                .findFirst()
                .orElseThrow();
    }
}
