package org.beefs.queenbee.console.model;

import java.util.List;
import java.util.Optional;

/** The hive at a moment. Immutable. */
public record Snapshot(HiveView hive, List<DesktopView> desktops) {
    /** The desktop of that name; of several honeycombs that were there the one that is. */
    public Optional<DesktopView> desktop(String name) {
        return desktops.stream()
                .filter(desktop -> desktop.name().equals(name))
                .max((a, b) -> Boolean.compare(a.connected(), b.connected()));
    }
}
