package org.beefs.cli.configuration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.ConfigurationException;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.common.file.Draft;
import org.beefs.honeycomb.HoneycombConfig;

/**
 * Writes the configuration files of a hive's daemons, once: ports are chosen then and stay the same, and people may
 * edit the files. Its user holds the {@link org.beefs.cli.process.HiveLock}.
 */
public final class HiveSetup {
    /**
     * Of the disk's free space, shared by the honeycombs that are set up together: a hive on one disk is no larger than
     * it.
     */
    private static final int SHARED_PERCENT = 80;

    private final HiveFolder hive;

    /** Says how many desktops a hive is to have while it is set up for the first time. */
    private final Path unfinished;

    private HiveSetup(HiveFolder hive) {
        this.hive = hive;
        this.unfinished = hive.path().resolve("unfinished");
    }

    public static HiveSetup of(HiveFolder hive) {
        return new HiveSetup(hive);
    }

    /**
     * Sets up a queen-bee, and a key, if there is no hive yet, and desktops with honeycombs numbered from 1 until there
     * are so many.
     *
     * @param ports to choose from; to be held until the daemons listen
     */
    public void completeTo(int desktops, FreePorts ports) {
        ports.leaveOut(configuredPorts());
        if (!hive.exists()) {
            write(unfinished, String.valueOf(desktops));
            if (hive.key() == null) {
                hive.makeKey();
            }
            write(hive.queenBee(), queenBee(Addresses.format(ports.next())));
        }
        ByteSize capacity = capacity(desktops);
        for (int number = 1; number <= desktops; number++) {
            ProcessFolder desktop = hive.desktop("desktop" + number);
            if (!desktop.isConfigured()) {
                write(desktop, desktop(desktop) + honeycomb(ports.next(), capacity));
            }
        }
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot remove " + unfinished + ": " + Reasons.of(e));
        }
    }

    /**
     * Sets up the queen-bee again where the desktops look for it, if its folder is lost. Fails where they look for a
     * name: nobody knows what such a hive's queen-bee listened at, and the name may mean a loopback address here, where
     * desktops on other machines do not get in.
     */
    public void restoreQueenBee() {
        if (hive.queenBee().isConfigured()) {
            return;
        }
        String address = queenBeeAddress();
        if (Addresses.parse(address).isUnresolved()) {
            throw new CommandFailure(
                    ExitCode.FOLDER,
                    "%s is missing, and desktops look for the queen-bee at %s: write that file as it was, with the address at which all of them reach her (listen = \"0.0.0.0:7411\" is all of this machine's)"
                            .formatted(hive.queenBee().configuration(), address));
        }
        write(hive.queenBee(), queenBee(address));
    }

    /** Where the honeycombs of this hive listen. */
    public List<String> honeycombs() {
        return hive.desktops().stream()
                .filter(ProcessFolder::isConfigured)
                .flatMap(desktop -> read(desktop, DesktopConfig.class).honeycomb().stream())
                .map(honeycomb -> Addresses.format(honeycomb.listen()))
                .toList();
    }

    /** Sets up a desktop that offers no disk space. */
    public void addDesktopWithoutHoneycomb(ProcessFolder desktop) {
        write(desktop, desktop(desktop));
    }

    private static String queenBee(String address) {
        return """
                # The queen-bee of this hive. Written by the first "beefs up"; edit it as you like, it is read at each start.
                [console]
                # For browsers; "off" for none. If it is taken, another loopback host is taken instead; another one than this is not replaced.
                listen = "127.0.0.1:7070"

                [queenbee]
                listen = "%s"
                """.formatted(address);
    }

    private String desktop(ProcessFolder desktop) {
        return """
                # A desktop of this hive. Written once; edit it as you like, it is read at each start.
                [desktop]
                name = "%s"

                [queenbee]
                address = "%s"

                [honeybee]
                # How long programs wait for a queen-bee or honeycomb that is away, before they get EIO.
                patience = "60s"
                # Who speaks with the kernel: native, rings (the same through io_uring), jnr (libfuse 2), or automatic for
                # native or, where that does not work, jnr.
                # driver = "automatic"

                [metrics]
                # Where Prometheus may ask, for example 127.0.0.1:9411. Whoever can reach it is answered.
                # listen = "off"
                """.formatted(desktop.name(), queenBeeAddress());
    }

    private static String honeycomb(InetSocketAddress listen, ByteSize capacity) {
        return """

                # What this desktop offers. Without this table it has only mounts.
                [honeycomb]
                listen = "%s"
                # What replicas may take altogether.
                capacity = "%dM"
                # What stays free for the disk's owner. Default: 5 %% of the disk, at least 1G
                # reserve = "10G"
                """.formatted(Addresses.format(listen), Math.max(1, capacity.bytes() >> 20));
    }

    /** Where the queen-bee of this hive listens, by the configuration files. */
    public String queenBeeAddress() {
        if (hive.queenBee().isConfigured()) {
            return Addresses.format(queenBeeListens());
        }
        return hive.desktops().stream()
                .filter(ProcessFolder::isConfigured)
                .map(known -> read(known, DesktopConfig.class).queenbee().address())
                .map(Addresses::format)
                .findFirst()
                .orElseThrow(hive::absent);
    }

    /**
     * Whether all daemons of the hive can only be on this machine, as {@code up} makes them: nobody else reaches its
     * queen-bee. Daemons of other hives are started by those who have set them up.
     */
    public boolean isOfThisMachine() {
        return hive.queenBee().isConfigured() && isLoopback(queenBeeListens());
    }

    /**
     * Whether daemons of the hive are, or can be, on other machines: its files have an address of the queen-bee that is
     * not only this machine's. Not where they cannot be read, of which whoever needs them hears.
     */
    public boolean isOfSeveralMachines() {
        try {
            boolean set = hive.processes().stream().anyMatch(ProcessFolder::isConfigured);
            return set && !isLoopback(Addresses.parse(queenBeeAddress()));
        } catch (CommandFailure | ConfigurationException _) {
            return false;
        }
    }

    private static boolean isLoopback(InetSocketAddress address) {
        InetAddress found = new InetSocketAddress(address.getHostString(), address.getPort()).getAddress();
        return found != null && found.isLoopbackAddress();
    }

    /** How many desktops it was to have whose first setting up has broken off; empty if it has not. */
    public OptionalInt unfinished() {
        try {
            return Files.exists(unfinished)
                    ? OptionalInt.of(
                            Integer.parseInt(Files.readString(unfinished).strip()))
                    : OptionalInt.empty();
        } catch (IOException | NumberFormatException e) {
            throw new CommandFailure(
                    ExitCode.FOLDER,
                    "cannot read " + unfinished + ", which says how many desktops to set up: " + Reasons.of(e));
        }
    }

    private InetSocketAddress queenBeeListens() {
        return read(hive.queenBee(), QueenBeeFile.class).queenbee().listen();
    }

    private ByteSize capacity(int desktops) {
        try {
            long free = Files.getFileStore(hive.path()).getUsableSpace();
            return new ByteSize(free / 100 * SHARED_PERCENT / desktops);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FOLDER, "cannot see the free space of " + hive.path() + ": " + Reasons.of(e));
        }
    }

    private Set<Integer> configuredPorts() {
        Set<Integer> used = new HashSet<>();
        if (hive.queenBee().isConfigured()) {
            used.add(queenBeeListens().getPort());
        }
        for (ProcessFolder desktop : hive.desktops()) {
            if (desktop.isConfigured()) {
                read(desktop, DesktopConfig.class)
                        .honeycomb()
                        .map(HoneycombConfig::listen)
                        .map(InetSocketAddress::getPort)
                        .ifPresent(used::add);
            }
        }
        return used;
    }

    private static <R extends Record> R read(ProcessFolder folder, Class<R> type) {
        return ConfigurationFile.read(folder.configuration(), type, Map.of());
    }

    private static void write(ProcessFolder folder, String text) {
        folder.create();
        write(folder.configuration(), text);
    }

    private static void write(Path file, String text) {
        try {
            Draft.replace(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot write " + file + ": " + Reasons.of(e));
        }
    }
}
