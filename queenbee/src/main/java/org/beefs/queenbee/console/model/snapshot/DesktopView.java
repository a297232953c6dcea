package org.beefs.queenbee.console.model.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A desktop as the console shows it. Its JSON is an interface: fields are added, never renamed.
 *
 * @param name the desktop's
 * @param presence {@code awake}, {@code asleep}, {@code lost}, or {@code mounts only} if it has no honeycomb
 * @param connected whether it has a living session
 * @param silentMillis since it was last heard, while it has one
 * @param awaySeconds for how long its honeycomb has been seen away
 * @param attendance how much of the last days its honeycomb was awake, from 0 to 1
 * @param capacity what replicas may take there altogether, in bytes, as all space here
 * @param used what they take
 * @param available what they may still take
 * @param pausedSeconds for how long nothing is copied there or from there
 * @param userActivity whether somebody uses it: {@code active}, {@code idle}, or {@code unknown} where nobody can tell
 * @param recordsWaiting records of the namespace that its catalog does not have yet
 * @param recordsBehindMillis since when its catalog is not complete; 0 when it is
 * @param drain while it is being emptied
 * @param replicas what it holds; null until that was counted
 * @param mounts where it has mounted the hive
 * @param openFiles files that its programs have open
 * @param rotten replicas there whose content is not what it was
 * @param unhealed those of these that nothing can take the place of at present
 * @param missing replicas that are not on its disk, and that nothing can take the place of at present
 * @param room where it is; empty where nobody has said that
 * @param version of its daemon's program, and its build, for people; empty if it has not come since the queen-bee's
 *     start
 * @param earlierFolders other folders that it had before, that are away, and neither drained nor given up
 * @param unreached desktops that it cannot copy from, though they are connected too
 * @param missed whether it is lost, and nobody has given it up, nor was it emptied before
 */
public record DesktopView(
        String name,
        String presence,
        boolean connected,
        long silentMillis,
        long awaySeconds,
        double attendance,
        long capacity,
        long used,
        long available,
        long pausedSeconds,
        String userActivity,
        long recordsWaiting,
        long recordsBehindMillis,
        @Nullable DrainView drain,
        @Nullable Replicas replicas,
        List<String> mounts,
        long openFiles,
        long rotten,
        long unhealed,
        long missing,
        String room,
        String version,
        long earlierFolders,
        List<String> unreached,
        boolean missed) {
    public static final String WITHOUT_HONEYCOMB = "mounts only";

    /**
     * What a honeycomb held when replicas were last counted.
     *
     * @param secondaries that hold the newest version
     * @param stale secondaries that hold an old version
     * @param expected secondaries that are to be copied there and hold nothing yet
     * @param bytes of all but the expected ones, as long as their files are
     */
    public record Replicas(long primaries, long secondaries, long stale, long expected, long bytes) {
        static final Replicas NONE = new Replicas(0, 0, 0, 0, 0);

        /** Files whose newest version is to come there. */
        public long awaited() {
            return stale + expected;
        }
    }

    public boolean hasHoneycomb() {
        return !presence.equals(WITHOUT_HONEYCOMB);
    }

    /** Whether it is lost and nobody misses it any more: it was given up, or emptied before. */
    public boolean givenUp() {
        return presence.equals("lost") && !missed;
    }

    /**
     * What of the space that is given nobody may use now, because the disk has only its owner's reserve left beside; in
     * bytes.
     */
    public long reserved() {
        return Math.max(0, capacity - used - available);
    }
}
