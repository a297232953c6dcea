package org.beefs.queenbee.console.model.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.beefs.common.config.Count;
import org.beefs.common.config.Durations;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.console.model.snapshot.HiveView.Attention;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.recovery.DrillFindings;

/** Says in a sentence how the hive is, and what needs attention. */
final class Health {
    /** Below that part of what users can store it is time to think of more desktops. */
    private static final int LITTLE_PERCENT = 10;

    /** Above that part of her heap it is time to give the queen-bee more, or to remove files. */
    private static final int MUCH_MEMORY_PERCENT = 75;

    private static final Duration RECORDS_LATE = Duration.ofMinutes(5);

    private final HiveView hive;
    private final List<DesktopView> desktops;
    private final DrillView drill;
    private final List<Attention> attention = new ArrayList<>();

    private Health(HiveView hive, List<DesktopView> desktops, DrillView drill) {
        this.hive = hive;
        this.desktops = desktops;
        this.drill = drill;
    }

    /**
     * The view with its sentence and with what needs attention.
     *
     * @param drill the last one that had a result
     */
    static HiveView of(HiveView hive, List<DesktopView> desktops, DrillView drill) {
        Health health = new Health(hive, desktops, drill);
        health.lookAtHive();
        health.lookAtDrill();
        desktops.forEach(health::lookAt);
        return new HiveView(
                hive.time(),
                health.sentence(),
                health.attention.isEmpty(),
                List.copyOf(health.attention),
                hive.id(),
                hive.incarnation(),
                hive.inodes(),
                hive.dirtyFiles(),
                hive.space(),
                hive.rawSpace(),
                hive.copies(),
                hive.load(),
                hive.records(),
                hive.readOnly(),
                hive.memoryPercent(),
                hive.ownDisk());
    }

    private String sentence() {
        List<String> parts = new ArrayList<>();
        parts.add(replicas());
        add(parts, "asleep");
        add(parts, "lost");
        return String.join("; ", parts) + ".";
    }

    private String replicas() {
        if (!hive.readOnly().isEmpty()) {
            return "Nothing can be changed: " + hive.readOnly();
        }
        long honeycombs = desktops.stream().filter(DesktopView::hasHoneycomb).count();
        if (honeycombs == 0) {
            return "There are no desktops with space yet";
        }
        long under = hive.copies().underReplicated();
        if (under > 0) {
            return Count.of(under, "file has", "files have") + " too few current replicas";
        }
        long stale = hive.copies().stale();
        return stale == 0
                ? "All files have the replicas that they should have"
                : "All files have enough current replicas, and "
                        + Count.of(stale, "stale replica is", "stale replicas are") + " to be brought up to date";
    }

    private void add(List<String> parts, String presence) {
        long number = desktops.stream()
                .filter(desktop -> desktop.presence().equals(presence))
                .count();
        if (number > 0) {
            parts.add(Count.of(number, "desktop is ", "desktops are ") + presence);
        }
    }

    private void lookAtHive() {
        if (!hive.readOnly().isEmpty()) {
            note("The hive can only be read: " + hive.readOnly(), "Switch those desktops on.");
        }
        if (!hive.records().catalogsAhead().isEmpty()) {
            note(
                    "The queen-bee's data is older than what these desktops know, which are refused: %s."
                            .formatted(String.join(", ", hive.records().catalogsAhead())),
                    "Either " + StateException.RESTORE + ";  or give up what only they know: "
                            + StateException.GIVE_UP);
        }
        if (hive.ownDisk().hasLittleRoom()) {
            note(
                    "Only %s are free on the queen-bee's own disk: the hive stops when it is full."
                            .formatted(hive.ownDisk().left()),
                    "Free some space there, or move her state to a larger disk.");
        }
        if (hive.memoryPercent() >= MUCH_MEMORY_PERCENT) {
            note(
                    "%d %% of the queen-bee's memory are in use: at %d %% no more files can be made."
                            .formatted(hive.memoryPercent(), MemoryRoom.SCARCE_PERCENT),
                    "Start her with a larger heap, or remove files.");
        }
        if (hasLittleSpace()) {
            note(
                    "Less than %d %% of the space is free.".formatted(LITTLE_PERCENT),
                    "Add a desktop, give more space on one, or remove files.");
        }
        lookAtCopies(hive.copies());
    }

    private void lookAtCopies(HiveView.Copies copies) {
        long waiting = copies.underReplicated() - copies.onlyOnLost();
        if (waiting > 0 && copies.underWay() == 0 && copies.rate() == 0) {
            note(
                    Count.of(waiting, "file waits", "files wait") + " for copies.",
                    "They are made as soon as desktops with room are awake.");
        }
        if (copies.onlyOnLost() > 0) {
            note(
                    "%s no replica but on lost desktops: %s."
                            .formatted(
                                    Count.of(copies.onlyOnLost(), "file has", "files have"),
                                    String.join(", ", copies.onlyOn())),
                    "Switch these on. What does not come back can only be taken from the backup.");
        }
    }

    /** Where owners have taken or keep all of their disks there is no capacity either. */
    private boolean hasLittleSpace() {
        long capacity = hive.space().capacity();
        return capacity == 0
                ? desktops.stream().anyMatch(desktop -> desktop.connected() && desktop.hasHoneycomb())
                : hive.space().available() * 100 < capacity * LITTLE_PERCENT;
    }

    private void lookAtDrill() {
        if (drill.state().equals(DrillView.FAILED)) {
            noteDrill(
                    "The last drill of a recovery failed. " + drill.summary(),
                    Objects.requireNonNullElse(drill.advice(), ""));
        }
        List<String> lost = lostInDrill();
        if (!lost.isEmpty()) {
            noteDrill(
                    "The last drill of a recovery lacked what only lost desktops know: %s."
                            .formatted(String.join(", ", lost)),
                    "Switch them on, or give up those that do not come back (beefs lost), and repeat it.");
        }
    }

    private void noteDrill(String what, String advice) {
        attention.add(new Attention(what, advice, null, "drill"));
    }

    private List<String> lostInDrill() {
        DrillFindings findings = drill.findings();
        return findings == null || !drill.state().equals(DrillView.INCOMPLETE)
                ? List.of()
                : desktops.stream()
                        .filter(desktop -> desktop.presence().equals("lost"))
                        .map(DesktopView::name)
                        .filter(findings.waitingFor()::contains)
                        .toList();
    }

    private void lookAt(DesktopView desktop) {
        lookAtUnsound(desktop);
        lookAtDrain(desktop);
        lookAtAbsence(desktop);
        lookAtEarlierFolders(desktop);
        lookAtReach(desktop);
        lookAtRecords(desktop);
    }

    private void lookAtUnsound(DesktopView desktop) {
        if (desktop.unhealed() > 0) {
            note(
                    "%s on %s cannot be replaced."
                            .formatted(
                                    Count.of(desktop.unhealed(), "rotten replica", "rotten replicas"), desktop.name()),
                    "Close those files, and switch on the desktops that have them; otherwise write or remove them.");
        }
        if (desktop.missing() > 0) {
            note(
                    "%s on %s cannot be replaced."
                            .formatted(
                                    Count.of(desktop.missing(), "missing replica", "missing replicas"), desktop.name()),
                    "Close those files, and switch on the desktops that have them; otherwise take them from the backup.");
        }
    }

    private void lookAtDrain(DesktopView desktop) {
        DrainView drain = desktop.drain();
        if (drain != null && drain.done()) {
            lookAtDrained(desktop);
        } else if (drain != null && !desktop.connected()) {
            lookAtDrainOfAbsent(desktop);
        } else if (drain != null && drain.stuck() > 0) {
            note(
                    desktop,
                    "%s cannot be drained: %s no other place."
                            .formatted(desktop.name(), Count.of(drain.stuck(), "replica has", "replicas have")),
                    "Switch a desktop with room on, or let it keep its replicas:",
                    "cancel-drain");
        }
    }

    /** Others may have no room only because they cannot copy from it. */
    private void lookAtDrainOfAbsent(DesktopView desktop) {
        if (!desktop.givenUp()) {
            note(
                    desktop,
                    desktop.name() + " is draining and is away.",
                    "Switch it on; if it does not come back, give it up (beefs lost); or stop that:",
                    "cancel-drain");
        }
    }

    /** One that is off already needs nobody. */
    private void lookAtDrained(DesktopView desktop) {
        if (desktop.connected()) {
            note(
                    desktop,
                    desktop.name() + " is drained and can be switched off.",
                    "Or let it take replicas again:",
                    "cancel-drain");
        }
    }

    /** Who is only asleep comes back by himself, each morning. */
    private void lookAtAbsence(DesktopView desktop) {
        if (desktop.missed() && desktop.drain() == null) {
            note(
                    desktop,
                    "%s has been away for %s, which is longer than the grace time."
                            .formatted(
                                    desktop.name(), Durations.approximate(Duration.ofSeconds(desktop.awaySeconds()))),
                    "Others make what it held. Switch it on; if it does not come back, others have to keep its records too:",
                    "lost");
        }
    }

    private void lookAtEarlierFolders(DesktopView desktop) {
        if (desktop.earlierFolders() > 0) {
            note(
                    desktop,
                    "%s has another folder now, and %s away."
                            .formatted(
                                    desktop.name(),
                                    Count.of(desktop.earlierFolders(), "earlier one is", "earlier ones are")),
                    "Look whether its disk is mounted: files may wait for content that is only there. If it does not come back:",
                    "lost");
        }
    }

    private void lookAtReach(DesktopView desktop) {
        if (desktop.connected() && !desktop.unreached().isEmpty()) {
            note(
                    "%s cannot copy from %s."
                            .formatted(desktop.name(), Count.named(desktop.unreached(), "desktop", "desktops")),
                    "Look for a firewall or VPN between them. What lies only there gets its replicas elsewhere.");
        }
    }

    private void lookAtRecords(DesktopView desktop) {
        if (desktop.connected() && desktop.recordsBehindMillis() > RECORDS_LATE.toMillis()) {
            note(
                    "The records on %s have been behind for %s."
                            .formatted(
                                    desktop.name(),
                                    Durations.approximate(Duration.ofMillis(desktop.recordsBehindMillis()))),
                    "Look at the log of its daemon.");
        }
    }

    private void note(String what, String advice) {
        attention.add(new Attention(what, advice, null, null));
    }

    private void note(DesktopView desktop, String what, String advice, String action) {
        attention.add(new Attention(what, advice, desktop.name(), action));
    }
}
