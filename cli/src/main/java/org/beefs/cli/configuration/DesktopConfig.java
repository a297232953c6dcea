package org.beefs.cli.configuration;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.beefs.cli.logging.LogConfig;
import org.beefs.common.config.Addresses;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeycomb.HoneycombConfig;

/**
 * All settings of a desktop daemon, as its TOML file has them.
 *
 * @param desktop who it is
 * @param queenbee whom it belongs to
 * @param honeycomb what it offers; without this table the daemon has only mounts
 * @param honeybee how its mounts behave
 * @param metrics what it tells of itself
 * @param log how its log is written
 */
public record DesktopConfig(
        Desktop desktop,
        QueenBee queenbee,
        Optional<HoneycombConfig> honeycomb,
        Honeybee honeybee,
        Metrics metrics,
        LogConfig log) {

    /**
     * Who it is.
     *
     * @param name unique in the hive
     */
    public record Desktop(String name) {}

    /**
     * Whom it belongs to.
     *
     * @param address where the queen-bee listens
     */
    public record QueenBee(InetSocketAddress address) {}

    /**
     * How its mounts behave.
     *
     * @param patience how long calls wait for a queen-bee or a honeycomb that is away, before programs get EIO
     * @param readers threads of each mount that take requests from the kernel where there are no rings, 1 to 64
     * @param driver who speaks with the kernel: "native", "rings" for the same through io_uring, "jnr", or "automatic"
     *     for native or, where that cannot be, jnr
     * @param slowCall a call of a program that takes so long is logged, with what it waits for; 100ms to a day
     * @param nosuid whether set-user-id programs run with their caller's rights, and device files cannot be opened
     * @param keepMounts whether what is mounted inside of the hive outlives others' changes, for which names are asked
     *     for at each use
     */
    public record Honeybee(
            Duration patience, int readers, String driver, Duration slowCall, boolean nosuid, boolean keepMounts) {
        public Honeybee {
            Driver.of(driver);
            if (!patience.isPositive() || patience.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("patience must be more than nothing, and at most a day");
            }
            if (slowCall.toMillis() < 100 || slowCall.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("slow-call must be between 100ms and a day");
            }
            if (readers < 1 || readers > 64) {
                throw new IllegalArgumentException("readers must be between 1 and 64");
            }
        }
    }

    /**
     * What it tells of itself.
     *
     * @param listen where Prometheus may ask, as host:port, or "off". Whoever can reach it is answered
     */
    public record Metrics(String listen) {
        public Metrics {
            Addresses.checkUnlessOff("listen", listen);
        }

        public Optional<InetSocketAddress> address() {
            return Addresses.parseUnlessOff(listen);
        }
    }

    /** What holds where file and command line say nothing; the queen-bee's port is its own default. */
    public static DesktopConfig defaults() {
        return new DesktopConfig(
                new Desktop("desktop1"),
                new QueenBee(new InetSocketAddress(InetAddress.getLoopbackAddress(), QueenBeeFile.DEFAULT_PORT)),
                Optional.of(HoneycombConfig.defaults()),
                new Honeybee(
                        /* patience= */ Duration.ofSeconds(60),
                        /* readers= */ 3,
                        Driver.AUTOMATIC.word(),
                        /* slowCall= */ Duration.ofSeconds(1),
                        /* nosuid= */ false,
                        /* keepMounts= */ false),
                new Metrics(Addresses.OFF),
                LogConfig.defaults());
    }

    public HoneybeeConfig honeybeeConfig() {
        return HoneybeeConfig.of(queenbee.address(), honeybee.patience());
    }

    /** With the honeycomb's folder as an absolute path: a relative one is below the process folder. */
    public DesktopConfig below(Path folder) {
        return new DesktopConfig(
                desktop, queenbee, honeycomb.map(config -> config.below(folder)), honeybee, metrics, log);
    }
}
