package org.beefs.cli.configuration;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.common.time.ProductionOnly;
import org.beefs.queenbee.journal.RocksStateStore;

/**
 * Tells a queen-bee that is lost from one that was never there, or is elsewhere: starting a lost one would make
 * another, empty hive. Only {@code up} asks, and only desktops of its own state folder are looked at; a queen-bee whose
 * own folder is left knows by herself.
 */
@ProductionOnly
public final class LostQueenBee {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private LostQueenBee() {}

    /**
     * Fails, naming recovery, when desktops here belong to a hive whose queen-bee was here too and has lost her state.
     */
    public static void check(HiveFolder hive) {
        if (hive.desktops().stream().noneMatch(LostQueenBee::hasServed)) {
            return;
        }
        ProcessFolder queenBee = hive.queenBee();
        if (queenBee.isConfigured()) {
            Path state = queenBee.path()
                    .resolve(ConfigurationFile.read(queenBee.configuration(), QueenBeeFile.class, Map.of())
                            .queenbee()
                            .state());
            if (!RocksStateStore.isPresent(state)) {
                throw lost(hive, "the queen-bee's state is missing from " + state);
            }
        } else if (!queenBee.isKnown()) {
            String address = HiveSetup.of(hive).queenBeeAddress();
            if (isHere(Addresses.parse(address)) && !answers(Addresses.parse(address))) {
                throw lost(hive, "the queen-bee's folder is missing, and nobody listens at " + address);
            }
        }
    }

    /** Whether a desktop's honeycomb was ever started, which takes a queen-bee who was. */
    private static boolean hasServed(ProcessFolder desktop) {
        return desktop.isConfigured()
                && ConfigurationFile.read(desktop.configuration(), DesktopConfig.class, Map.of())
                        .below(desktop.path())
                        .honeycomb()
                        .filter(honeycomb -> Files.exists(honeycomb.folder().resolve("honeycomb.json")))
                        .isPresent();
    }

    private static boolean isHere(InetSocketAddress address) {
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }

    private static boolean answers(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, (int) ANSWER.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static CommandFailure lost(HiveFolder hive, String what) {
        return new CommandFailure(
                ExitCode.FOLDER,
                "%s, but honeycombs of her hive are here: rebuild her from them with  beefs recover --state %s"
                        .formatted(what, hive.path()));
    }
}
