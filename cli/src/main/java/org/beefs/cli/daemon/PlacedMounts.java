package org.beefs.cli.daemon;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.beefs.cli.mounts.MountTable;
import org.beefs.common.linux.MountInfo;
import org.beefs.honeybee.mount.Mount;
import org.jspecify.annotations.Nullable;

/**
 * Which mount was made at which place. One that was taken from its place lazily (umount -l) is served for as long as
 * programs use it, while another may be made there. To be guarded by its user; only {@link #shown} and {@link #totals}
 * are for all.
 */
final class PlacedMounts {
    /** @param device of the kernel while it is mounted, null if that could not be seen */
    private record Placed(Mount mount, @Nullable String device) {
        Sight sight(MountTable table) {
            if (device == null || device.equals(deviceOf(mount, table))) {
                return Sight.SEEN;
            }
            return table.holds(mount.target(), device) ? Sight.COVERED : Sight.DETACHED;
        }
    }

    /** What whoever looks at the place of a mount finds there. */
    enum Sight {
        /** The mount. */
        SEEN,

        /** Something else, which was mounted over it, or over a folder above. */
        COVERED,

        /** Whatever is there without it: it was taken from its place, or none was made there. */
        DETACHED
    }

    private final Map<Path, Placed> places = new TreeMap<>();

    /** Others were made at their places. */
    private final Set<Mount> replaced = new HashSet<>();

    private final MountTotals totals = new MountTotals();

    /** By path; a copy that is read without waiting. */
    private volatile Map<String, Mount> shown = Map.of();

    /** What was made last at each place. Never waits. */
    Map<String, Mount> shown() {
        return shown;
    }

    /** What all of them, and those that have ended, were asked. */
    MountTotals totals() {
        return totals;
    }

    Optional<Mount> at(Path path) {
        return Optional.ofNullable(places.get(path)).map(Placed::mount);
    }

    /** The mount that was made there, if whoever looks there still sees it. */
    Optional<Mount> seenAt(Path path, MountTable table) {
        return sight(path, table) == Sight.SEEN ? at(path) : Optional.empty();
    }

    /** Whether the mount that was made there last is still what is found there. */
    Sight sight(Path path, MountTable table) {
        Placed placed = places.get(path);
        return placed == null ? Sight.DETACHED : placed.sight(table);
    }

    /**
     * Notes a new mount, in place of one that is not seen there any more.
     *
     * @param table as of now
     */
    void put(Path path, Mount mount, MountTable table) {
        Placed earlier = places.put(path, new Placed(mount, deviceOf(mount, table)));
        if (earlier != null) {
            replaced.add(earlier.mount());
        }
        totals.add(mount);
        show();
    }

    /** It has ended. Answers whether it was the one at its place, not one that another has replaced. */
    boolean remove(Path path, Mount mount) {
        replaced.remove(mount);
        totals.end(mount);
        boolean present = at(path).filter(mount::equals).isPresent();
        if (present) {
            places.remove(path);
            show();
        }
        return present;
    }

    /** All that have not ended. */
    List<Mount> all() {
        return Stream.concat(places.values().stream().map(Placed::mount), replaced.stream())
                .toList();
    }

    private static @Nullable String deviceOf(Mount mount, MountTable table) {
        return table.at(mount.target()).map(MountInfo.Mount::device).orElse(null);
    }

    private void show() {
        Map<String, Mount> present = new TreeMap<>();
        places.forEach((path, placed) -> present.put(path.toString(), placed.mount()));
        shown = present;
    }
}
