package org.beefs.queenbee.hive;

import java.util.List;
import org.beefs.queenbee.namespace.Inode;

/**
 * What a replica of a file is, in words for people.
 *
 * @param kind primary, secondary or extra
 * @param version that it holds; 0 for none yet
 * @param state dirty, empty, rotten, missing, current or stale
 * @param presence of its honeycomb
 */
public record ReplicaWords(String desktop, String kind, long version, String state, String presence) {
    /** The words for each replica of a file, the primary first; none for a file that has no place yet. */
    public static List<ReplicaWords> of(Honeycombs honeycombs, Inode file) {
        return file.honeycomb() == 0
                ? List.of()
                : file.replicas()
                        .mapToObj(honeycombs::numbered)
                        .map(honeycomb -> of(honeycomb, file))
                        .toList();
    }

    private static ReplicaWords of(Honeycomb honeycomb, Inode file) {
        boolean isPrimary = file.honeycomb() == honeycomb.number();
        return new ReplicaWords(
                honeycomb.desktop(),
                isPrimary ? "primary" : file.secondaries().isExtra(honeycomb.number()) ? "extra" : "secondary",
                isPrimary ? file.version() : file.versionIn(honeycomb.number()),
                isPrimary ? primary(honeycomb, file) : secondary(honeycomb, file),
                honeycomb.presence().word());
    }

    private static String primary(Honeycomb honeycomb, Inode file) {
        if (file.dirty()) {
            return "dirty";
        }
        if (honeycomb.unsound().isRotten(file.number())) {
            return "rotten";
        }
        return honeycomb.unsound().isMissing(file.number()) ? "missing" : "current";
    }

    private static String secondary(Honeycomb honeycomb, Inode file) {
        if (file.versionIn(honeycomb.number()) == 0) {
            return "empty";
        }
        if (honeycomb.unsound().isRotten(file.number())) {
            return "rotten";
        }
        return file.secondaries().isCurrent(honeycomb.number()) && !file.dirty() ? "current" : "stale";
    }
}
