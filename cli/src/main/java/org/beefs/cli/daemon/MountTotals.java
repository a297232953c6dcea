package org.beefs.cli.daemon;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.RequestMeter.Opens;

/** What all mounts were asked, those that have ended too: counters of a process never fall. Thread-safe. */
final class MountTotals {
    // Guarded by this.
    private final Set<Mount> living = new HashSet<>();
    private final SortedMap<String, Reading> endedTimes = new TreeMap<>();
    private Opens endedOpens = Opens.NONE;

    synchronized void add(Mount mount) {
        living.add(mount);
    }

    /** It is asked nothing any more. Harmless when it was said before. */
    synchronized void end(Mount mount) {
        if (living.remove(mount)) {
            addTimes(mount, endedTimes);
            endedOpens = endedOpens.plus(mount.opens());
        }
    }

    /** How long answers to the kernel took, by operation. Never waits. */
    synchronized SortedMap<String, Reading> times() {
        SortedMap<String, Reading> times = new TreeMap<>(endedTimes);
        living.forEach(mount -> addTimes(mount, times));
        return times;
    }

    /** What was opened. Never waits. */
    synchronized Opens opens() {
        return living.stream().map(Mount::opens).reduce(endedOpens, Opens::plus);
    }

    private static void addTimes(Mount mount, SortedMap<String, Reading> to) {
        mount.times().forEach((operation, reading) -> to.merge(operation, reading, Reading::plus));
    }
}
