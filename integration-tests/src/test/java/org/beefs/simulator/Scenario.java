package org.beefs.simulator;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.beefs.simulator.hive.Sabotage;
import org.beefs.simulator.hive.Storage;
import org.beefs.simulator.model.Rules;

/**
 * A kind of run.
 *
 * @param name to choose it by
 * @param text what happens, for people
 * @param steps operations to ask
 * @param inFlight operations that a client may have in flight; 1 means that no two operations overlap, of any clients
 * @param badNetwork whether frames come late, and links lose some and break
 * @param faults what else may go wrong
 * @param sabotage a fault planted into production code's surroundings, to see that it is found
 */
public record Scenario(
        String name, String text, int steps, int inFlight, boolean badNetwork, Set<Fault> faults, Sabotage sabotage) {
    /** What may go wrong with hosts and processes. */
    public enum Fault {
        KILL_QUEEN_BEE,
        /** What the queen-bee has not synced is gone. */
        CUT_QUEEN_BEES_POWER,
        STOP_QUEEN_BEE,
        BREAK_LINK,
        KILL_DESKTOP,
        /** A daemon ends in order, and starts again. */
        RESTART_DESKTOP,
        STOP_DESKTOP,
        CUT_OFF,
        /** Two desktops do not reach one another, though others reach both. */
        KEEP_APART,
        SLEEP,
        /** A host's time of day is set, forth or back. */
        SET_CLOCK,
        FAIL_DISK,
        FILL_DISK,
        /** A disk says that it could not write what it had taken. */
        FAIL_SYNCS,
        /** Somebody has a desktop emptied, and thinks better of it. */
        DRAIN,
        /** A daemon dies, and before the next one starts its disk forgets a bit. */
        ROT
    }

    private static final Set<Fault> HARMLESS = EnumSet.complementOf(EnumSet.of(
            Fault.CUT_QUEEN_BEES_POWER,
            Fault.KILL_DESKTOP,
            Fault.KEEP_APART,
            Fault.SET_CLOCK,
            Fault.FAIL_DISK,
            Fault.FILL_DISK,
            Fault.FAIL_SYNCS,
            Fault.DRAIN,
            Fault.ROT));

    /** One operation at a time, and only faults that no operation fails from: every answer is known in advance. */
    public static final Scenario ONE_AT_A_TIME = new Scenario(
            "one-at-a-time",
            "one operation in the whole hive, every answer known in advance; nothing that lasts for longer than a lease",
            300,
            1,
            true,
            withSetClocks(),
            Sabotage.NONE);

    /** Operations of both clients overlap, and everything goes wrong. */
    public static final Scenario OVERLAPPING = new Scenario(
            "overlapping",
            "two operations on each desktop; daemons die, disks fail, and desktops are away for longer than a lease",
            300,
            2,
            true,
            EnumSet.complementOf(EnumSet.of(Fault.CUT_QUEEN_BEES_POWER, Fault.SET_CLOCK, Fault.DRAIN, Fault.ROT)),
            Sabotage.NONE);

    /** As many operations in flight, but nothing that makes them fail. */
    public static final Scenario CONCURRENT = new Scenario(
            "concurrent",
            "two operations on each desktop; nothing that lasts for longer than a lease",
            300,
            2,
            true,
            HARMLESS,
            Sabotage.NONE);

    /** One operation at a time, and in the end the power fails, of this or that host or everywhere. */
    public static final Scenario POWER = new Scenario(
            "power",
            "one operation in the whole hive; then the power fails, of this or that host or everywhere",
            100,
            1,
            false,
            Set.of(),
            Sabotage.NONE);

    /** Operations overlap, and desktops bring what the queen-bee has lost with her power. */
    public static final Scenario OUTAGES = new Scenario(
            "outages",
            "two operations on each desktop; the queen-bee loses her power now and then",
            300,
            2,
            false,
            Set.of(Fault.CUT_QUEEN_BEES_POWER, Fault.BREAK_LINK),
            Sabotage.NONE);

    /** One operation at a time, and disks that fail for a while. */
    public static final Scenario FAILING_DISKS = new Scenario(
            "failing-disks",
            "one operation in the whole hive; desktops' disks refuse content, are full or cannot sync for some seconds",
            300,
            1,
            false,
            EnumSet.of(Fault.FAIL_DISK, Fault.FILL_DISK, Fault.FAIL_SYNCS),
            Sabotage.NONE);

    /** One operation at a time; then a desktop's files move on without it. */
    public static final Scenario CONFLICTS = new Scenario(
            "conflicts",
            "one operation in the whole hive; then a desktop is lost, its files go on elsewhere, and it comes back",
            80,
            1,
            false,
            Set.of(),
            Sabotage.NONE);

    /** Operations overlap, and replicas leave honeycombs all the time. */
    public static final Scenario RELOCATION = new Scenario(
            "relocation",
            "two operations on each desktop; honeycombs are short of space, or emptied; nothing that lasts for longer than a lease",
            200,
            2,
            true,
            withDrains(),
            Sabotage.NONE);

    /** Operations overlap, and what is read whole stays on the reader's desktop, until it changes or gives way. */
    public static final Scenario READ_REPLICAS = new Scenario(
            "read-replicas",
            "two operations on each desktop; what is read elsewhere stays there too; nothing that lasts for longer than a lease",
            200,
            2,
            true,
            withDrains(),
            Sabotage.NONE);

    /** One operation at a time; now and then a desktop is lost with all that it had. */
    public static final Scenario P_FACTOR = new Scenario(
            "p-factor",
            "one operation in the whole hive, on files with a P-factor of 2 or 3; two desktops are lost for ever, in turn",
            60,
            1,
            true,
            withPowerCutsForRestarts(),
            Sabotage.NONE);

    /** The same while operations fail, because daemons die and desktops are away for longer than a lease. */
    public static final Scenario BROKEN_PROMISES = new Scenario(
            "p-factor-storms",
            "as p-factor, while daemons die, and desktops are away for longer than a lease",
            60,
            1,
            true,
            EnumSet.complementOf(EnumSet.of(Fault.CUT_QUEEN_BEES_POWER, Fault.SET_CLOCK, Fault.DRAIN, Fault.ROT)),
            Sabotage.NONE);

    /** Operations overlap, and disks forget bits of what lies elsewhere too. */
    public static final Scenario DECAY = new Scenario(
            "rot",
            "two operations on each desktop; daemons die, and their disks forget bits before they start again",
            200,
            2,
            false,
            Set.of(Fault.ROT),
            Sabotage.NONE);

    /** Operations overlap, and now and then the queen-bee loses her disk. */
    public static final Scenario RECOVERY = new Scenario(
            "recovery",
            "two operations on each desktop; whenever all is calm the queen-bee loses her disk and is rebuilt from catalogs",
            300,
            2,
            true,
            withDrains(),
            Sabotage.NONE);

    static final List<Scenario> ALL = List.of(
            ONE_AT_A_TIME,
            CONCURRENT,
            OVERLAPPING,
            POWER,
            OUTAGES,
            FAILING_DISKS,
            CONFLICTS,
            RELOCATION,
            READ_REPLICAS,
            P_FACTOR,
            BROKEN_PROMISES,
            DECAY,
            RECOVERY);

    private static Set<Fault> withSetClocks() {
        Set<Fault> faults = EnumSet.copyOf(HARMLESS);
        faults.add(Fault.SET_CLOCK);
        return faults;
    }

    private static Set<Fault> withDrains() {
        Set<Fault> faults = EnumSet.copyOf(HARMLESS);
        faults.add(Fault.DRAIN);
        return faults;
    }

    private static Set<Fault> withPowerCutsForRestarts() {
        Set<Fault> faults = EnumSet.copyOf(HARMLESS);
        faults.remove(Fault.RESTART_DESKTOP);
        faults.add(Fault.CUT_QUEEN_BEES_POWER);
        return faults;
    }

    static Optional<Scenario> find(String name) {
        return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }

    static Scenario named(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("no scenario is named " + name));
    }

    boolean losesPower() {
        return name.equals(POWER.name);
    }

    boolean losesADesktop() {
        return name.equals(CONFLICTS.name);
    }

    boolean promisesCopies() {
        return name.equals(P_FACTOR.name) || name.equals(BROKEN_PROMISES.name);
    }

    boolean relocates() {
        return name.equals(RELOCATION.name);
    }

    boolean recovers() {
        return name.equals(RECOVERY.name);
    }

    boolean keepsWhatIsRead() {
        return name.equals(READ_REPLICAS.name);
    }

    /** What the desktops give to the hive. */
    Storage storage() {
        if (keepsWhatIsRead()) {
            return Storage.SINGLE;
        }
        return relocates() ? Storage.SMALL : promisesCopies() ? Storage.PLENTIFUL : Storage.USUAL;
    }

    /** Whether most operations are on what is in files. */
    boolean isAboutContent() {
        return losesADesktop()
                || relocates()
                || keepsWhatIsRead()
                || name.equals(FAILING_DISKS.name)
                || name.equals(DECAY.name);
    }

    Scenario with(Sabotage other) {
        return new Scenario(name, text, steps, inFlight, badNetwork, faults, other);
    }

    Scenario withSteps(int other) {
        return new Scenario(name, text, other, inFlight, badNetwork, faults, sabotage);
    }

    boolean oneAtATime() {
        return inFlight == 1;
    }

    /** Whether an operation may fail from the faults alone. */
    boolean mayFail() {
        return faults.contains(Fault.KILL_DESKTOP) || faults.contains(Fault.FAIL_DISK) || faults.contains(Fault.ROT);
    }

    /** Whether many desktops stay away for longer than the grace time, and come back. */
    boolean losesDesktops() {
        return faults.contains(Fault.KILL_DESKTOP) && !promisesCopies();
    }

    Rules rules() {
        return new Rules(oneAtATime(), mayFail());
    }
}
