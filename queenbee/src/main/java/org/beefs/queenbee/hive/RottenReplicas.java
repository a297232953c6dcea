package org.beefs.queenbee.hive;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;

/**
 * What is rotten in a honeycomb, as it has told last: at most as many as one heartbeat names; and what is missing there and cannot be made anew. Belongs
 * to the namespace thread.
 */
public final class RottenReplicas {
    /** Why nothing is done about one: nobody else has it who is awake. */
    public static final String ALONE = "no other current replica of the file is on a desktop that is awake";

    /** Likewise: who reads the primary past his daemon would not see what is written elsewhere. */
    public static final String IN_USE = "somebody has the file open; it is replaced when it is closed";

    private Set<Long> inodes = Set.of();
    private Map<Long, String> unhealed = Map.of();

    private final Map<Long, String> missing = new HashMap<>();

    public void report(List<ReplicaName> rotten) {
        inodes = rotten.stream().map(ReplicaName::getInode).collect(Collectors.toUnmodifiableSet());
    }

    public boolean has(long inode) {
        return inodes.contains(inode);
    }

    public int count() {
        return inodes.size();
    }

    /** Rotten ones about which nothing can be done at present, and why. */
    public Map<Long, String> unhealed() {
        return unhealed;
    }

    /** Primaries that are not there at all, and why nothing can be done about them at present. */
    public Map<Long, String> missing() {
        return Collections.unmodifiableMap(missing);
    }

    /** Nothing is missing as far as is known. */
    public void forgetMissing() {
        missing.clear();
    }

    /** Why nothing can be done about one that is missing; null when something was. True if that is news. */
    public boolean setMissing(long inode, @Nullable String why) {
        @Nullable String before = why == null ? missing.remove(inode) : missing.put(inode, why);
        return !Objects.equals(before, why);
    }

    public void setUnhealed(Map<Long, String> left) {
        unhealed = Map.copyOf(left);
    }
}
