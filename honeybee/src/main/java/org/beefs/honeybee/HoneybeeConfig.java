package org.beefs.honeybee;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;

/**
 * What can be set about a honeybee and its session with the queen-bee.
 *
 * @param queenbee where the queen-bee listens
 * @param patience how long a call waits altogether for a queen-bee or honeycomb that is away, before the application
 *     gets EIO
 * @param queenDeadline how long one attempt waits for the queen-bee's answer before it is made again
 * @param dataDeadline how long one attempt waits for a honeycomb that is silent
 * @param syncDeadline the same for bringing content to disk, which takes as long as the disk needs
 * @param statusPatience how long listings, releases and changes of attributes wait for the state of a dirty file; they
 *     have an answer without it
 * @param mountPatience how long statfs, and stat of the mount point itself, wait before they answer what was known
 *     last; and how long close(2) waits until its locks are given up
 * @param releasePatience how long the end of an open is told to a queen-bee that is away; nobody waits for that
 * @param maxChanges requests that change something which may be unanswered at a time; one of more than 4 KiB counts as
 *     several
 * @param maxWaitingChanges requests that may wait for one of these places; further ones fail with EAGAIN
 * @param maxOpenFiles opens at a time over all mounts of a desktop; all of them must fit into one message (see
 *     {@link org.beefs.common.rpc.Frame#MAX_MESSAGE}) of 26 bytes each
 * @param maxConnections connections with honeycombs that may be open at a time; idle ones are closed above it
 * @param maxTransfers reads and writes, of up to 1 MiB each, that may be under way with one honeycomb at a time; each
 *     has to arrive within ten times the {@code patience}, which 16 do at 250 kbit/s
 * @param maxHeldBack bytes of content that programs were told is written and that is not at its honeycomb yet; 0 for
 *     none
 * @param maxCachedNodes inodes whose attributes are cached at a time, about 800 bytes of heap each
 * @param maxCachedEntries names that are cached at a time, about 130 bytes each; likewise directories
 */
public record HoneybeeConfig(
        InetSocketAddress queenbee,
        Duration patience,
        Duration queenDeadline,
        Duration dataDeadline,
        Duration syncDeadline,
        Duration statusPatience,
        Duration mountPatience,
        Duration releasePatience,
        int maxChanges,
        int maxWaitingChanges,
        int maxOpenFiles,
        int maxConnections,
        int maxTransfers,
        int maxHeldBack,
        int maxCachedNodes,
        int maxCachedEntries) {
    /** The most that {@code maxOpenFiles} may be. */
    public static final int MOST_OPEN_FILES = 131_072;

    /** The most that {@code maxTransfers} may be: their content, waiting for a slow reader, never congests a link. */
    public static final int MOST_TRANSFERS = (int) (Link.CONGESTED_BYTES / Frame.MAX_PAYLOAD) - 1;

    public HoneybeeConfig {
        positive("patience", patience);
        positive("queenDeadline", queenDeadline);
        positive("dataDeadline", dataDeadline);
        positive("syncDeadline", syncDeadline);
        positive("statusPatience", statusPatience);
        positive("mountPatience", mountPatience);
        positive("releasePatience", releasePatience);
        within("maxChanges", maxChanges, 4096);
        within("maxWaitingChanges", maxWaitingChanges, 1 << 20);
        within("maxOpenFiles", maxOpenFiles, MOST_OPEN_FILES);
        within("maxConnections", maxConnections, 65_536);
        within("maxTransfers", maxTransfers, MOST_TRANSFERS);
        if (maxHeldBack < 0) {
            throw new IllegalArgumentException("maxHeldBack must not be negative");
        }
        within("maxCachedNodes", maxCachedNodes, 1 << 24);
        within("maxCachedEntries", maxCachedEntries, 1 << 24);
    }

    /** The defaults for all the rest. */
    public static HoneybeeConfig of(InetSocketAddress queenbee, Duration patience) {
        return new HoneybeeConfig(
                queenbee,
                patience,
                /* queenDeadline= */ Duration.ofSeconds(10),
                /* dataDeadline= */ Duration.ofSeconds(10),
                /* syncDeadline= */ Duration.ofSeconds(120),
                /* statusPatience= */ Duration.ofSeconds(5),
                /* mountPatience= */ Duration.ofSeconds(1),
                /* releasePatience= */ Duration.ofHours(1),
                /* maxChanges= */ 1024,
                /* maxWaitingChanges= */ 16_384,
                /* maxOpenFiles= */ MOST_OPEN_FILES,
                /* maxConnections= */ 256,
                /* maxTransfers= */ 16,
                /* maxHeldBack= */ 64 << 20,
                /* maxCachedNodes= */ 131_072,
                /* maxCachedEntries= */ 262_144);
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be longer than nothing, not " + value);
        }
    }

    private static void within(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s must be from 1 to %d, not %d".formatted(name, most, value));
        }
    }
}
