package org.beefs.queenbee.namespace;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The extra replicas of each honeycomb, and the space they take. {@link Namespace} keeps it with each change of a
 * file's secondaries; after a start the inodes' order stands for that in which they came. About 100 bytes of heap for
 * each.
 */
public final class ExtraReplicas {
    private static final class Held {
        /** Bytes that each takes, by inode; the one that is to go first comes first. */
        private final LinkedHashMap<Long, Long> bytes = new LinkedHashMap<>();

        private long sum;

        void add(Inode inode) {
            bytes.put(inode.number, inode.space());
            sum += inode.space();
        }

        void remove(long inode) {
            Long taken = bytes.remove(inode);
            sum -= taken == null ? 0 : taken;
        }
    }

    private final Map<Integer, Held> byHoneycomb = new HashMap<>();

    /** Bytes that all in a honeycomb take; each counts as long as its file was when it was chosen. */
    public long bytes(int honeycomb) {
        return held(honeycomb).sum;
    }

    /** The inode of which a honeycomb has an extra replica for longest; null when it has none. */
    public @Nullable Long oldest(int honeycomb) {
        return held(honeycomb).bytes.isEmpty()
                ? null
                : held(honeycomb).bytes.firstEntry().getKey();
    }

    /** Makes an extra replica count as if it had just come. */
    public void renew(int honeycomb, long inode) {
        Map<Long, Long> bytes = held(honeycomb).bytes;
        Long taken = bytes.remove(inode);
        if (taken != null) {
            bytes.put(inode, taken);
        }
    }

    /** A file's secondaries have become others. */
    void changed(Inode inode, Secondaries former, Secondaries present) {
        if (former.extras() + present.extras() == 0) {
            return;
        }
        former.extra()
                .filter(honeycomb -> !present.isExtra(honeycomb))
                .forEach(honeycomb -> held(honeycomb).remove(inode.number));
        present.extra()
                .filter(honeycomb -> !former.isExtra(honeycomb))
                .forEach(honeycomb -> held(honeycomb).add(inode));
    }

    private Held held(int honeycomb) {
        return byHoneycomb.computeIfAbsent(honeycomb, first -> new Held());
    }
}
