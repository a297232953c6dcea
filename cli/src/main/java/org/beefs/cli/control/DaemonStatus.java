package org.beefs.cli.control;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.Timestamp;
import org.beefs.common.wire.UserActivity;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.beefs.queenbee.journal.DiskSpace;
import org.jspecify.annotations.Nullable;

/**
 * What a daemon says of itself. The JSON of this record and its parts is an interface: fields are added, never renamed.
 * What a daemon of an earlier version does not say is empty, or unknown.
 *
 * @param name {@code queenbee}, or the desktop's
 * @param version of the program
 * @param address where it listens, as host:port; null for a desktop without honeycomb
 * @param connected of a desktop: whether the queen-bee has it registered now; of the queen-bee always true
 * @param honeycombs of a desktop its own, if it has one; of the queen-bee all that it knows
 * @param mounts of a desktop: where it has mounted the hive
 * @param hive what only the queen-bee knows; null from others
 * @param requests of a desktop: how often the kernel has asked for what, by mount and by the kernel's names
 * @param trouble of a desktop that is not connected: why, in a sentence; else empty
 */
public record DaemonStatus(
        String name,
        String version,
        @Nullable String address,
        boolean connected,
        List<HoneycombStatus> honeycombs,
        List<String> mounts,
        @Nullable HiveSummary hive,
        Map<String, Map<String, Long>> requests,
        String trouble) {
    private static final String UNKNOWN = "unknown";

    public DaemonStatus {
        name = Objects.requireNonNullElse(name, UNKNOWN);
        version = Objects.requireNonNullElse(version, UNKNOWN);
        honeycombs = Objects.requireNonNullElse(honeycombs, List.of());
        mounts = Objects.requireNonNullElse(mounts, List.of());
        requests = Objects.requireNonNullElse(requests, Map.of());
        trouble = Objects.requireNonNullElse(trouble, "");
    }

    /**
     * A honeycomb. Space in bytes.
     *
     * @param desktop that it belongs to
     * @param uuid of its folder
     * @param connected whether its desktop has a living session
     * @param capacity what replicas may take altogether
     * @param used what replicas take
     * @param available what replicas may still take
     * @param fenced files that programs may hold and must not write: for now, because the queen-bee was not heard, or
     *     any more, because their daemon has died; as far as their desktop's daemon is asked
     * @param recordsWaiting records of the namespace that its catalog does not have yet; as far as the queen-bee is
     *     asked
     * @param recordsBehindMillis since when its catalog is not complete; 0 when it is; likewise
     * @param presence {@code awake}, {@code asleep} or {@code lost}
     * @param awaySeconds for how long the queen-bee has seen it away; likewise
     * @param drain while it is being emptied, or is empty for that reason; likewise, and null otherwise
     * @param pausedSeconds for how long nothing is copied there or from there
     * @param attendance how much of the last days it was awake, from 0 to 1; as far as the queen-bee is asked
     * @param userActivity whether somebody uses the desktop: {@code active}, {@code idle} or {@code unknown}
     * @param scrub how far the check of its replicas is; null while that is not known
     * @param earlierFolders other folders that its desktop had before, that are away, and neither drained nor given up;
     *     as far as the queen-bee is asked
     * @param unreached desktops that it cannot copy from, because it does not reach them; likewise
     */
    public record HoneycombStatus(
            String desktop,
            String uuid,
            String address,
            boolean connected,
            long capacity,
            long used,
            long available,
            long fenced,
            long recordsWaiting,
            long recordsBehindMillis,
            String presence,
            long awaySeconds,
            @Nullable DrainView drain,
            long pausedSeconds,
            double attendance,
            String userActivity,
            @Nullable ScrubStatus scrub,
            long earlierFolders,
            List<String> unreached) {
        public HoneycombStatus {
            desktop = Objects.requireNonNullElse(desktop, UNKNOWN);
            uuid = Objects.requireNonNullElse(uuid, "");
            address = Objects.requireNonNullElse(address, UNKNOWN);
            presence = Objects.requireNonNullElse(presence, connected ? "awake" : "asleep");
            userActivity = Objects.requireNonNullElse(userActivity, UNKNOWN);
            unreached = Objects.requireNonNullElse(unreached, List.of());
        }

        /** Whether replicas may take nothing more because the disk has no more free than its owner keeps. */
        public boolean hasOnlyReserveLeft() {
            return connected && available == 0 && used < capacity;
        }

        /**
         * As the honeycomb's own daemon knows it, without what only the queen-bee knows.
         *
         * @param uuid 16 bytes
         */
        public static HoneycombStatus ofItself(
                String desktop,
                ByteString uuid,
                String address,
                boolean connected,
                HoneycombSpace space,
                int fenced,
                Duration paused,
                UserActivity userActivity,
                ScrubReport scrub) {
            return new HoneycombStatus(
                    desktop,
                    text(uuid),
                    address,
                    connected,
                    space.getCapacity(),
                    space.getUsed(),
                    space.getAvailable(),
                    fenced,
                    0,
                    0,
                    connected ? "awake" : "asleep",
                    0,
                    null,
                    paused.toSeconds(),
                    0,
                    userActivity.name().toLowerCase(Locale.ROOT),
                    ScrubStatus.of(scrub, scrub.getRottenTotal(), 0, 0),
                    0,
                    List.of());
        }

        /** A honeycomb's UUID, 16 bytes, as it is shown. */
        public static String text(ByteString uuid) {
            ByteBuffer bytes = uuid.asReadOnlyByteBuffer();
            return new UUID(bytes.getLong(), bytes.getLong()).toString();
        }

        /** This status, with what only the queen-bee knows from the other one. */
        public HoneycombStatus withQueenBeesOf(HoneycombStatus other) {
            return new HoneycombStatus(
                    desktop,
                    uuid,
                    address,
                    connected,
                    capacity,
                    used,
                    available,
                    fenced,
                    other.recordsWaiting,
                    other.recordsBehindMillis,
                    other.presence,
                    other.awaySeconds,
                    other.drain,
                    pausedSeconds,
                    other.attendance,
                    userActivity,
                    scrub == null || other.scrub == null ? scrub : scrub.withQueenBeesOf(other.scrub),
                    other.earlierFolders,
                    other.unreached);
        }
    }

    /**
     * How far a honeycomb is with comparing all of its replicas with their checksums, and what it has found.
     *
     * @param running whether a round is under way; the numbers are about that, or about the last one
     * @param begunAt as ISO 8601 has it, as all times; null before the first round
     * @param replicas that were read
     * @param bytes of these
     * @param completedAt when a round was last completed; null before
     * @param rotten replicas that are not what they were, and wait to be replaced
     * @param unhealed those of these about which nothing can be done at present; as far as the queen-bee is asked
     * @param missing replicas that are not on the disk, about which nothing can be done at present; as far as the
     *     queen-bee is asked
     */
    public record ScrubStatus(
            boolean running,
            @Nullable String begunAt,
            long replicas,
            long bytes,
            @Nullable String completedAt,
            long rotten,
            long unhealed,
            long missing) {
        public static ScrubStatus of(ScrubReport report, long rotten, long unhealed, long missing) {
            return new ScrubStatus(
                    report.getRunning(),
                    report.hasBegunAt() ? time(report.getBegunAt()) : null,
                    report.getReplicas(),
                    report.getBytes(),
                    report.hasCompletedAt() ? time(report.getCompletedAt()) : null,
                    rotten,
                    unhealed,
                    missing);
        }

        private ScrubStatus withQueenBeesOf(ScrubStatus other) {
            return new ScrubStatus(
                    running, begunAt, replicas, bytes, completedAt, rotten, other.unhealed, other.missing);
        }

        private static String time(Timestamp time) {
            return Timestamps.toInstant(time).truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }

    /**
     * The hive as a whole.
     *
     * @param id the hive's own number
     * @param incarnation how often the queen-bee has started
     * @param inodes files, folders and all else
     * @param dirtyFiles files that somebody may be writing
     * @param pendingDrops replicas that are to be removed and are not yet, without those on honeycombs that are lost
     * @param waitingForCopies files whose newest version has yet to reach other desktops than the primary's
     * @param copiesUnderWay copies that are being made
     * @param longOpenFiles files that have been open for writing for so long that they get versions meanwhile
     * @param checkpointLagMillis by how much the copies of one of these are behind at most
     * @param underReplicated files with fewer current replicas than they should have by now, and there are desktops
     *     for; this and what follows as of a short while ago
     * @param stale secondary replicas that hold an old version
     * @param toCopy versions that connected desktops lack
     * @param bytesToCopy bytes of these
     * @param copyRate how fast copies are made at present in the whole hive, in bytes a second; 0 when that is not
     *     known
     * @param copySecondsLeft how long all that takes at this rate; null when that is not known
     * @param capacity what users can store, in bytes: the connected honeycombs' space divided by the replicas of a file
     * @param available what users can still store, likewise
     * @param readOnly why nothing may be changed; empty if it may
     * @param comparedReplicas replicas that honeycombs have told of since the queen-bee's start, each as it came last,
     *     to be compared with what she knows
     * @param healedFiles files of these that were changed without her knowing, and have become what their honeycombs
     *     tell
     * @param renewedRecords records in catalogs of connected honeycombs that were missing or older than what she knows,
     *     and were told again
     * @param comparedAt when that was last done, as ISO 8601 has it; null before the first time
     * @param catalogsAhead desktops that are refused because their catalogs know of changes that the queen-bee does not
     * @param ownDisk the one with the queen-bee's state, without room on which the hive stops
     */
    public record HiveSummary(
            String id,
            long incarnation,
            long inodes,
            long dirtyFiles,
            long pendingDrops,
            long waitingForCopies,
            long copiesUnderWay,
            long longOpenFiles,
            long checkpointLagMillis,
            long underReplicated,
            long stale,
            long toCopy,
            long bytesToCopy,
            long copyRate,
            @Nullable Long copySecondsLeft,
            long capacity,
            long available,
            String readOnly,
            long comparedReplicas,
            long healedFiles,
            long renewedRecords,
            @Nullable String comparedAt,
            List<String> catalogsAhead,
            DiskSpace ownDisk) {
        public HiveSummary {
            id = Objects.requireNonNullElse(id, "");
            readOnly = Objects.requireNonNullElse(readOnly, "");
            catalogsAhead = Objects.requireNonNullElse(catalogsAhead, List.of());
            ownDisk = Objects.requireNonNullElse(ownDisk, DiskSpace.UNKNOWN);
        }
    }
}
