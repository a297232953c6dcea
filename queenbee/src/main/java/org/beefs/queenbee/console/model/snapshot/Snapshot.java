package org.beefs.queenbee.console.model.snapshot;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.beefs.queenbee.hive.NaturalOrder;

/**
 * The hive at a moment. Immutable.
 *
 * @param desktops each once
 */
public record Snapshot(HiveView hive, List<DesktopView> desktops) {
    /**
     * In which room which desktops are, in the order of the rooms' names; at last those of which nobody has said it.
     */
    public SortedMap<String, List<DesktopView>> byRoom() {
        Comparator<String> nowhereLast = Comparator.comparing(String::isEmpty);
        return desktops.stream()
                .collect(Collectors.groupingBy(
                        DesktopView::room,
                        () -> new TreeMap<>(nowhereLast.thenComparing(NaturalOrder.INSTANCE)),
                        Collectors.toList()));
    }

    /** The desktop of that name. */
    public Optional<DesktopView> desktop(String name) {
        return desktops.stream().filter(desktop -> desktop.name().equals(name)).findFirst();
    }
}
