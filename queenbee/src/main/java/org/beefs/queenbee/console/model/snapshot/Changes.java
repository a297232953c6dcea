package org.beefs.queenbee.console.model.snapshot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.common.config.Count;
import org.beefs.queenbee.console.model.event.EventLog;
import org.jspecify.annotations.Nullable;

/** Finds what has happened between two snapshots, and tells the event log. */
public final class Changes {
    private final EventLog events;

    public Changes(EventLog events) {
        this.events = events;
    }

    public void tell(Snapshot before, Snapshot after) {
        Map<String, DesktopView> known = new LinkedHashMap<>();
        before.desktops().forEach(desktop -> known.put(desktop.name(), desktop));
        after.desktops().forEach(desktop -> tell(known.remove(desktop.name()), desktop));
        known.keySet().forEach(gone -> add(gone, gone + " has left"));
        tell(before.hive(), after.hive());
    }

    private void tell(HiveView before, HiveView after) {
        boolean wasWhole = before.copies().underReplicated() == 0;
        boolean isWhole = after.copies().underReplicated() == 0;
        if (wasWhole && !isWhole) {
            add(
                    null,
                    Count.of(after.copies().underReplicated(), "file has", "files have") + " too few current replicas");
        } else if (!wasWhole && isWhole) {
            add(null, "all files have enough current replicas again");
        }
        if (!before.readOnly().equals(after.readOnly())) {
            add(
                    null,
                    after.readOnly().isEmpty()
                            ? "the hive can be changed again"
                            : "the hive can only be read: " + after.readOnly());
        }
    }

    private void tell(@Nullable DesktopView before, DesktopView after) {
        if (before == null) {
            add(after.name(), after.name() + " has joined, " + after.presence());
            return;
        }
        if (!before.presence().equals(after.presence())) {
            add(after.name(), after.name() + " is " + after.presence());
        } else if (before.connected() != after.connected() && !after.hasHoneycomb()) {
            add(after.name(), after.name() + (after.connected() ? " is connected" : " is not connected"));
        }
        if ((before.pausedSeconds() == 0) != (after.pausedSeconds() == 0)) {
            add(after.name(), after.name() + (after.pausedSeconds() > 0 ? " is paused" : " is not paused any more"));
        }
        if (after.rotten() > before.rotten()) {
            add(
                    after.name(),
                    "%s on %s to be replaced"
                            .formatted(Count.of(after.rotten(), "rotten replica", "rotten replicas"), after.name()));
        }
        if (after.unhealed() > before.unhealed()) {
            add(
                    after.name(),
                    "%s on %s cannot be replaced now, and kept"
                            .formatted(Count.of(after.unhealed(), "rotten replica", "rotten replicas"), after.name()));
        }
        if (after.missing() > before.missing()) {
            add(
                    after.name(),
                    "%s on %s cannot be replaced now"
                            .formatted(Count.of(after.missing(), "missing replica", "missing replicas"), after.name()));
        }
        boolean wasEmpty = before.drain() != null && before.drain().done();
        if (after.connected() && after.drain() != null && after.drain().done() && !wasEmpty) {
            add(after.name(), after.name() + " is drained and can be switched off");
        }
    }

    private void add(@Nullable String desktop, String text) {
        events.add(desktop == null ? "hive" : "desktop", desktop, text, null);
    }
}
