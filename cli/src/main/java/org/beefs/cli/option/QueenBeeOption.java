package org.beefs.cli.option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import org.beefs.cli.configuration.HiveSetup;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.cli.state.HiveFolder;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.tcp.HiveKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that name a queen-bee, on this machine or elsewhere, for commands that speak with her as her desktops do.
 */
public final class QueenBeeOption {
    private static final Duration ANSWER = Duration.ofSeconds(5);

    @Mixin
    private StateOption state = new StateOption();

    @Option(
            names = "--queenbee",
            paramLabel = "HOST:PORT",
            description = "Where the queen-bee listens, if she is not one of the state folder's.")
    private @Nullable String queenBee;

    /**
     * Fails as a command does when there is none, and with IllegalArgumentException and a sentence when what was given
     * is no address.
     */
    public InetSocketAddress address() {
        return Addresses.parse(queenBee == null ? addressIn(state.existingHive()) : queenBee);
    }

    /** The key in the state folder, if there is one: also of a hive whose queen-bee is elsewhere. */
    public @Nullable HiveKey key() {
        return state.hive().key();
    }

    /** Her process, if she is one of the state folder's. */
    public OptionalLong process() {
        return queenBee == null
                ? DaemonStopper.living(state.hive().queenBee()).stream()
                        .mapToLong(ProcessIdentity::pid)
                        .findAny()
                : OptionalLong.empty();
    }

    /** Where she listens now, which a configuration may say only in part. */
    private static String addressIn(HiveFolder hive) {
        try {
            String address = new ControlClient(hive.queenBee()).status(ANSWER).address();
            return address == null ? HiveSetup.of(hive).queenBeeAddress() : address;
        } catch (IOException e) {
            return HiveSetup.of(hive).queenBeeAddress();
        }
    }
}
