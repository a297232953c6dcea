package org.beefs.queenbee.console.model.snapshot;

import java.util.List;
import org.beefs.queenbee.journal.DiskSpace;
import org.jspecify.annotations.Nullable;

/**
 * The hive as a whole. Its JSON is an interface: fields are added, never renamed.
 *
 * @param time when this was so, as ISO 8601 has it
 * @param health all in one sentence
 * @param healthy whether nothing needs attention
 * @param attention what does
 * @param id the hive's own number
 * @param incarnation how often the queen-bee has started
 * @param inodes files, folders and all else
 * @param dirtyFiles files that somebody may be writing
 * @param space what users see
 * @param rawSpace of the honeycombs that are connected
 * @param copies how far replicas are from what they should be
 * @param load what desktops ask
 * @param records how what honeycombs told last was compared with the namespace
 * @param readOnly why nothing may be changed; empty if it may
 * @param memoryPercent of the queen-bee's heap that was in use after its last collection
 * @param ownDisk the one with the queen-bee's state, without room on which the hive stops
 */
public record HiveView(
        String time,
        String health,
        boolean healthy,
        List<Attention> attention,
        String id,
        long incarnation,
        long inodes,
        long dirtyFiles,
        Space space,
        Space rawSpace,
        Copies copies,
        Load load,
        Records records,
        String readOnly,
        int memoryPercent,
        DiskSpace ownDisk) {
    /** Bytes. */
    public record Space(long capacity, long available) {
        public long used() {
            return Math.max(0, capacity - available);
        }
    }

    /**
     * What needs somebody to look at it.
     *
     * @param what it is
     * @param advice what can be done
     * @param desktop that it is about, if it is about one
     * @param action that would help there: {@code lost}, {@code cancel-drain} or {@code drill}; null when there is none
     */
    public record Attention(
            String what,
            String advice,
            @Nullable String desktop,
            @Nullable String action) {}

    /**
     * Replicas that are to be made or to go.
     *
     * @param underReplicated files with fewer current replicas than they should have by now, and there are desktops for
     * @param onlyOnLost those of these whose current replicas are all on lost desktops
     * @param onlyOn the desktops with the primaries of the latter
     * @param stale secondaries that hold an old version
     * @param toCopy versions that connected desktops lack
     * @param bytesToCopy of these
     * @param rate how fast copies are made at present, in bytes a second; 0 when that is not known
     * @param secondsLeft how long all that takes at this rate; null when that is not known
     * @param waiting files whose newest version has yet to reach other desktops
     * @param underWay copies that are being made
     * @param pendingDrops replicas that are to be removed and are not yet, without those on honeycombs that are lost
     * @param longOpenFiles files that are open for so long that they get versions meanwhile
     * @param checkpointLagMillis by how much the copies of one of these are behind at most
     * @param lagMillis for how long the version that waits for longest has waited for a desktop that is there to copy
     *     it
     */
    public record Copies(
            long underReplicated,
            long onlyOnLost,
            List<String> onlyOn,
            long stale,
            long toCopy,
            long bytesToCopy,
            long rate,
            @Nullable Long secondsLeft,
            long waiting,
            long underWay,
            long pendingDrops,
            long longOpenFiles,
            long checkpointLagMillis,
            long lagMillis) {}

    /**
     * What desktops ask of the queen-bee.
     *
     * @param operationsPerSecond since the last look
     * @param medianMicros half of the requests took at most so long, from their arrival to their answer
     * @param slowMicros 99 of 100 did
     * @param leases that desktops hold
     * @param locks likewise
     * @param waitingForLocks requests that wait for one
     * @param recalls messages since the queen-bee's start that have asked desktops to give leases up
     * @param waitingForRecalls what these were sent for and not all desktops have let go of, whether a request waits
     *     for that or not
     * @param unsynced changes that are made and not yet on the queen-bee's disk
     * @param traffic content that desktops read and write on other desktops, copies included; bytes a second
     */
    public record Load(
            double operationsPerSecond,
            long medianMicros,
            long slowMicros,
            long leases,
            long locks,
            long waitingForLocks,
            long recalls,
            long waitingForRecalls,
            long unsynced,
            long traffic) {}

    /**
     * How what honeycombs have told compares with the namespace.
     *
     * @param comparedReplicas of the last inventory of each honeycomb since the queen-bee's start
     * @param healedFiles files of these that were changed without her knowing
     * @param comparedAt when the latest was complete; null before the first
     * @param catalogsAhead desktops that are refused because their catalogs know of changes that the queen-bee does not
     */
    public record Records(
            long comparedReplicas,
            long healedFiles,
            @Nullable String comparedAt,
            List<String> catalogsAhead) {}
}
