package org.beefs.honeycomb;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.Altered;
import org.beefs.common.config.ByteSize;
import org.beefs.honeycomb.disk.DiskSpace;
import org.beefs.honeycomb.store.Space;

/**
 * What a desktop gives to the hive.
 *
 * @param folder for replicas and catalog, on a local file system with user extended attributes
 * @param listen where honeybees of other desktops connect; port 0 takes a free one
 * @param advertise the host name or address that other desktops know this one by; if empty, the one that it listens at
 *     or, if that is all, the one from which this machine talks with the queen-bee
 * @param capacity what replicas may take altogether; if empty, {@value Space#CAPACITY_PERCENT} % of what they take and
 *     what is free
 * @param reserve what stays free for the disk's owner; if empty, {@value #RESERVE_PERCENT} % of the disk, at least
 *     {@link #LEAST_RESERVE}
 * @param openFiles replica files that are kept open at most while nobody uses them
 * @param threads for reading and writing on behalf of other desktops; and as many for syncs
 * @param copyRate what is copied here from other desktops in a second at most; less while programs wait for the machine
 * @param scrubPeriod how long after the beginning of one check of all replicas the next one begins
 * @param scrubRate what is read in a second for that, likewise
 */
public record HoneycombConfig(
        Path folder,
        InetSocketAddress listen,
        Optional<String> advertise,
        Optional<ByteSize> capacity,
        Optional<ByteSize> reserve,
        int openFiles,
        int threads,
        ByteSize copyRate,
        Duration scrubPeriod,
        ByteSize scrubRate) {
    static final int RESERVE_PERCENT = 5;
    static final ByteSize LEAST_RATE = new ByteSize(1 << 20);
    static final Duration LEAST_SCRUB_PERIOD = Duration.ofMinutes(1);
    static final ByteSize LEAST_RESERVE = new ByteSize(1L << 30);

    public HoneycombConfig {
        require(copyRate.bytes() >= LEAST_RATE.bytes(), "copy-rate must be at least " + LEAST_RATE);
        require(scrubRate.bytes() >= LEAST_RATE.bytes(), "scrub-rate must be at least " + LEAST_RATE);
        require(scrubPeriod.compareTo(LEAST_SCRUB_PERIOD) >= 0, "scrub-period must be at least a minute");
        require(openFiles >= 1 && openFiles <= 65_536, "open-files must be between 1 and 65536");
        require(threads >= 1 && threads <= 256, "threads must be between 1 and 256");
        require(
                advertise.isEmpty() || Addresses.isHost(advertise.get()),
                "advertise must be a host's name or address, without a port");
    }

    public static HoneycombConfig defaults() {
        return new HoneycombConfig(
                /* folder= */ Path.of("honeycomb"),
                /* listen= */ new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                /* advertise= */ Optional.empty(),
                /* capacity= */ Optional.empty(),
                /* reserve= */ Optional.empty(),
                /* openFiles= */ 512,
                /* threads= */ 4,
                /* copyRate= */ new ByteSize(64L << 20),
                /* scrubPeriod= */ Duration.ofDays(14),
                /* scrubRate= */ new ByteSize(16L << 20));
    }

    /** With its folder as an absolute path: a relative one is below another folder. */
    public HoneycombConfig below(Path base) {
        return Altered.copy(this, Map.of("folder", base.resolve(folder)));
    }

    /** Capacity in bytes, if it is configured. */
    OptionalLong capacityBytes() {
        return capacity.stream().mapToLong(ByteSize::bytes).findAny();
    }

    /** Reserve in bytes. */
    long reserve(DiskSpace disk) {
        return reserve.map(ByteSize::bytes)
                .orElse(Math.max(LEAST_RESERVE.bytes(), disk.total() / 100 * RESERVE_PERCENT));
    }

    private static void require(boolean valid, String otherwise) {
        if (!valid) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
