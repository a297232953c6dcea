package org.beefs.common.replica;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ScrubReport;
import org.beefs.common.wire.UserActivity;
import org.jspecify.annotations.Nullable;

/** What the session tells and asks of the honeycomb on its own desktop. Thread-safe; no method blocks. */
public interface LocalHoneycomb {
    /**
     * The honeycomb's identity, and where others reach it; asked at each registration. When its lease has run out, it
     * comes after programs were stopped that write replicas by themselves.
     *
     * @param from this machine's end of the connection on which the queen-bee is told; null when it is not known
     */
    CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from);

    /**
     * Lets it take changes until then, by the boot clock. False when its lease had run out: then only a registration
     * begins a new one.
     */
    boolean extendLease(long until);

    /**
     * Lets it take changes until then, but for the lost replicas: a registration was answered.
     *
     * @return false when it takes them only after another registration, because that has to ask for more replicas, or
     *     because the time was over before it could
     */
    CompletableFuture<Boolean> registered(long until, HoneycombOffer offer, List<ReplicaName> lost);

    /** The honeycomb's space; asked at each heartbeat. */
    HoneycombSpace space();

    /** For how long nothing is to be copied to it or from it; asked at each heartbeat. */
    default Duration paused() {
        return Duration.ZERO;
    }

    /** Whether somebody uses its desktop; asked at each heartbeat. */
    default UserActivity userActivity() {
        return UserActivity.UNKNOWN;
    }

    /**
     * Bytes of content that other desktops have read and written there since it was started; asked at each heartbeat.
     */
    default long servedBytes() {
        return 0;
    }

    /** When its folder was last marked as in use, in nanoseconds since 1970; asked at each heartbeat. */
    default long marked() {
        return 0;
    }

    /** How its replicas are, and which are rotten after those that were told last; asked at each heartbeat. */
    default ScrubReport scrub() {
        return ScrubReport.getDefaultInstance();
    }

    /** Bytes that new files may take; asked for each of them. */
    long available();

    /**
     * The replicas it holds after the given one, in the order of their inode numbers (unsigned), at most {@code limit};
     * null begins. An empty page ends. Replicas made or removed meanwhile may be missing or listed.
     */
    CompletableFuture<List<ReplicaName>> inventory(@Nullable ReplicaName after, int limit);

    /** Does what the queen-bee asks. */
    CompletableFuture<DesktopReply> serve(DesktopRequest request);
}
