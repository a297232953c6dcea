package org.beefs.cli.file;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.beefs.cli.terminal.Table;
import org.beefs.cli.terminal.Visible;
import org.beefs.cli.view.Report;
import org.beefs.common.config.Count;
import org.beefs.common.replica.ReplicationXattr;

/**
 * How a file, or what is made in a directory, is replicated, and where.
 *
 * @param path as it was asked for
 * @param replicas wanted altogether
 * @param timeToCoherence how long after a close other replicas than the primary may stay stale
 * @param pFactor desktops that have a version on disk before close returns
 * @param places where a file's replicas are, the primary first; of a directory none
 */
record FileInfo(String path, int replicas, String timeToCoherence, int pFactor, List<Place> places) implements Report {
    /**
     * One replica.
     *
     * @param kind primary, secondary, or extra: beyond those that the file should have
     * @param version that it holds
     * @param state current, dirty (being written), stale, rotten, missing (from the disk), or empty as long as nothing
     *     has been copied
     * @param presence awake, asleep or lost
     */
    record Place(String desktop, String kind, long version, long epoch, String state, String presence) {
        static Place of(String line) {
            String[] parts = line.split("\t", -1);
            return new Place(
                    parts[0], parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]), parts[4], parts[5]);
        }

        boolean isNewest() {
            return state.equals("current") || state.equals("dirty");
        }
    }

    static FileInfo of(Path path) {
        FileSettings settings = FileSettings.of(path);
        return new FileInfo(
                settings.path(),
                settings.replicas(),
                settings.timeToCoherence(),
                settings.pFactor(),
                new HiveAttributes(path)
                        .get(ReplicationXattr.LOCATION).stream()
                                .flatMap(String::lines)
                                .map(Place::of)
                                .toList());
    }

    @Override
    public String render() {
        StringBuilder text = new StringBuilder("%s: %s, time to coherence %s, P-factor %d%n"
                .formatted(Visible.of(path), Count.of(replicas, "replica", "replicas"), timeToCoherence, pFactor));
        if (!places.isEmpty()) {
            Table table = new Table("desktop", "kind", "state", "version", "epoch", "");
            places.forEach(place -> table.add(
                    place.desktop(),
                    place.kind(),
                    place.state(),
                    Long.toString(place.version()),
                    Long.toString(place.epoch()),
                    place.presence()));
            text.append(table.render()).append(unreadable()).append(rotten()).append(missing());
        }
        return text.toString();
    }

    /** Which desktop has to come back before the file can be read. */
    private String unreadable() {
        boolean readable = places.stream()
                .anyMatch(place -> place.isNewest() && place.presence().equals("awake"));
        List<String> wanted =
                places.stream().filter(Place::isNewest).map(Place::desktop).toList();
        if (readable) {
            return "";
        }
        return wanted.isEmpty()
                ? "It cannot be read: no desktop has its newest content%n".formatted()
                : "It cannot be read until one of these is back: %s%n".formatted(String.join(", ", wanted));
    }

    /** What was found by the check of replicas. */
    private String rotten() {
        String desktops = desktops("rotten");
        return desktops.isEmpty()
                ? ""
                : "The content on %s is not what was written there. It is not served, and kept until a current replica can take its place: "
                                .formatted(desktops)
                        + "when the file is closed everywhere and a desktop is awake that has one%n".formatted();
    }

    /** What an inventory has not found. */
    private String missing() {
        String desktops = desktops("missing");
        return desktops.isEmpty()
                ? ""
                : "On %s the replica is not on the disk any more. A current replica takes its place when the file is closed everywhere "
                                .formatted(desktops)
                        + "and a desktop is awake that has one; otherwise take the file from the backup%n".formatted();
    }

    private String desktops(String state) {
        return places.stream()
                .filter(place -> place.state().equals(state))
                .map(Place::desktop)
                .collect(Collectors.joining(", "));
    }
}
