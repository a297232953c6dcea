package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;

/**
 * The effects of changes that are under way, counted for each name and inode. Bounded by the number of changes that may
 * be under way. Guarded by the cache's lock.
 */
final class EffectsUnderWay {
    private final Map<EntryKey, Integer> names = new HashMap<>();
    private final Map<Long, Integer> directories = new HashMap<>();
    private final Map<Long, Integer> inodes = new HashMap<>();
    private final Map<Long, Integer> rights = new HashMap<>();
    private int uncertain;

    void begin(Effects effects) {
        count(effects, 1);
    }

    void end(Effects effects) {
        count(effects, -1);
    }

    boolean concernsName(long directory, ByteString name) {
        return !names.isEmpty() && names.containsKey(new EntryKey(directory, name));
    }

    boolean concernsListing(long directory) {
        return directories.containsKey(directory);
    }

    boolean concernsInode(long inode) {
        return uncertain > 0 || inodes.containsKey(inode);
    }

    /** Whether an inode's owner, group or mode may have changed. Changes of names leave these alone. */
    boolean concernsRights(long inode) {
        return rights.containsKey(inode);
    }

    private void count(Effects effects, int by) {
        for (EntryKey name : effects.names()) {
            add(names, name, by);
            add(directories, name.directory(), by);
        }
        boolean changesRights = effects.names().isEmpty();
        for (Long inode : effects.inodes()) {
            add(inodes, inode, by);
            if (changesRights) {
                add(rights, inode, by);
            }
        }
        uncertain += effects.certain() ? 0 : by;
    }

    private static <K> void add(Map<K, Integer> counts, K key, int by) {
        counts.merge(key, by, (known, more) -> known + more == 0 ? null : known + more);
    }
}
