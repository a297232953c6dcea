package org.beefs.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.SimClient;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.world.SimProcess;

/** Lets things go wrong, at moments drawn from the seed, and ends it again. */
final class Faults {
    private static final long SECOND = 1_000_000_000;

    /** One in so many steps begins with a fault. */
    private static final int RARITY = 15;

    private final Scenario scenario;
    private final Hive hive;
    private final List<SimClient> clients;
    private final History history;
    private final RandomGenerator random;
    private final List<Scenario.Fault> possible;

    Faults(Scenario scenario, Hive hive, List<SimClient> clients, History history, RandomGenerator random) {
        this.scenario = scenario;
        this.hive = hive;
        this.clients = clients;
        this.history = history;
        this.random = random;
        // In the order of their names: that of a set may be another one in each process.
        this.possible = new ArrayList<>(List.of(Scenario.Fault.values()));
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
            case KILL_QUEEN_BEE -> endQueenBee("the queen-bee is killed", hive.queenBee()::kill);
            case CUT_QUEEN_BEES_POWER -> endQueenBee("the queen-bee loses her power", hive.queenBee()::losePower);
            case STOP_QUEEN_BEE -> stop("queen-bee", hive.queenBee().process());
            case BREAK_LINK -> soon("a link breaks", () -> hive.network().breakSomeLink());
            case KILL_DESKTOP -> killDesktop(anyDesktop());
            case STOP_DESKTOP -> stop("a daemon", anyDesktop().process());
            case CUT_OFF -> cutOff(anyDesktop());
            case KEEP_APART -> keepApart(anyDesktop(), anyDesktop());
            case SLEEP -> sleep(anyDesktop());
            case FAIL_DISK -> failDisk(anyDesktop());
            case DRAIN -> drain(anyDesktop());
            case ROT -> rot(anyDesktop());
        }
    }

    void endAll() {
        hive.network().heal();
        hive.queenBee().process().goOn();
        hive.queenBee().ensureRunning();
        hive.desktops().forEach(desktop -> {
            if (scenario.relocates()) {
                hive.queenBee().drain(desktop, true);
            }
            desktop.failWrites(false);
            desktop.wakeUp();
            desktop.process().goOn();
            desktop.ensureRunning();
        });
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

    private void endQueenBee(String what, Runnable end) {
        soon(what, () -> {
            end.run();
            clients.forEach(SimClient::queenBeeDied);
            later(3 * SECOND, hive.queenBee()::ensureRunning);
        });
    }

    private void killDesktop(SimDesktop desktop) {
        soon(desktop.host() + " is killed", () -> {
            if (desktop.isRunning()) {
                disturb();
                desktop.kill();
                clients.stream().filter(client -> desktop(client) == desktop).forEach(SimClient::died);
                later(5 * SECOND, desktop::ensureRunning);
            }
        });
    }

    /** What programs have open there they go on reading past everybody, whatever becomes of it: so nothing is. */
    private void rot(SimDesktop desktop) {
        soon(desktop.host() + " is killed, and its disk forgets a bit", () -> {
            List<SimClient> there = clients.stream()
                    .filter(client -> desktop(client) == desktop)
                    .toList();
            if (desktop.isRunning()
                    && there.stream().noneMatch(client -> client.hasOpen() || client.isEnding() || !client.isIdle())) {
                disturb();
                desktop.kill();
                there.forEach(SimClient::died);
                hive.decay(desktop);
                later(5 * SECOND, desktop::ensureRunning);
            }
        });
    }

    private void stop(String who, SimProcess process) {
        soon(who + " is stopped", () -> {
            disturb();
            process.stop();
            later(longest(), process::goOn);
        });
    }

    /** So long that sessions end, if operations may fail. */
    private long longest() {
        return (scenario.mayFail() ? 45 : 8) * SECOND;
    }

    private void failDisk(SimDesktop desktop) {
        soon("writes to the disk of " + desktop.host() + " fail", () -> {
            disturb();
            desktop.failWrites(true);
            later(3 * SECOND, () -> desktop.failWrites(false));
        });
    }

    private void drain(SimDesktop desktop) {
        soon(desktop.host() + " is to be emptied", () -> {
            hive.queenBee().drain(desktop, false);
            later(60 * SECOND, () -> hive.queenBee().drain(desktop, true));
        });
    }

    private void sleep(SimDesktop desktop) {
        soon(desktop.host() + " falls asleep", () -> {
            if (desktop.isRunning()) {
                disturb();
                desktop.fallAsleep();
                later(longest(), () -> {
                    history.note(desktop.host() + " wakes up");
                    desktop.wakeUp();
                });
            }
        });
    }

    private void cutOff(SimDesktop desktop) {
        soon(desktop.host() + " is cut off", () -> {
            disturb();
            hive.network().cutOff(desktop.host());
            later(longest(), hive.network()::heal);
        });
    }

    private void keepApart(SimDesktop one, SimDesktop other) {
        soon(one.host() + " and " + other.host() + " do not reach one another", () -> {
            disturb();
            hive.network().keepApart(one.host(), other.host());
            later(longest(), hive.network()::heal);
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
