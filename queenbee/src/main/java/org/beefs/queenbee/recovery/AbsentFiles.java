package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.state.CatalogHive;

/**
 * Files of which no current replica is in a honeycomb that was asked, by the desktop that they wait for. Not
 * thread-safe.
 */
public final class AbsentFiles {
    /** So many are named. */
    static final int MOST_NAMED = 100;

    private final String desktop;
    private final List<String> named = new ArrayList<>();
    private long count;

    private AbsentFiles(String desktop) {
        this.desktop = desktop;
    }

    /** @param asked UUIDs of the honeycombs whose catalogs were read */
    static Collection<AbsentFiles> find(Namespace namespace, CatalogHive hive, Set<ByteString> asked) {
        Map<String, AbsentFiles> absent = new TreeMap<>();
        for (Inode inode : namespace.snapshot()) {
            if (inode.isRegular()
                    && inode.honeycomb() != 0
                    && inode.currentReplicas()
                            .noneMatch(number -> asked.contains(
                                    hive.getHoneycombs(number - 1).getUuid()))) {
                String desktop = hive.getHoneycombs(inode.honeycomb() - 1).getDesktop();
                absent.computeIfAbsent(desktop, AbsentFiles::new).add(inode);
            }
        }
        return absent.values();
    }

    private void add(Inode file) {
        count++;
        if (named.size() < MOST_NAMED) {
            named.add(file.path());
        }
    }

    /** For people, a line for each that is named. */
    void tell(List<String> lines) {
        lines.add(
                "%d files are on %s, which was not reached: reading them fails until it comes, and then they are brought up to date"
                        .formatted(count, desktop));
        named.forEach(path -> lines.add("is on %s only: %s".formatted(desktop, path)));
        if (count > named.size()) {
            lines.add("and %d more on %s".formatted(count - named.size(), desktop));
        }
    }
}
