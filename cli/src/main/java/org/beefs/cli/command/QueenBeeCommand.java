package org.beefs.cli.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.cli.daemon.DaemonProcess;
import org.beefs.cli.option.RoleOptions;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.WithoutOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.server.RecoveryPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the queen-bee. */
@Command(
        name = "queenbee",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the queen-bee in the foreground: the one process of a hive that knows all names. Ctrl-C and SIGTERM end it; "
                    + "what it has answered is kept.",
            "",
            "Its data is kept in FOLDER/queenbee; its settings come from queenbee.toml there, or from --config, or from "
                    + "options. It listens on 127.0.0.1 unless told otherwise: everybody who can reach it can read and change the hive.",
            "",
            "When its data is lost, --recover rebuilds it in an empty folder from what the honeycombs know, and then serves. What was "
                    + "found, and how conflicts were decided, is told in FOLDER/queenbee/recovery.txt. All honeycombs of the hive must be named, "
                    + "and answer before that; with --serve-read-only what the others know can be read meanwhile. Those of desktops that were "
                    + "declared lost, or emptied and away for longer than the grace time, may be left out, and others with --without."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "130, 143:ended by Ctrl-C, by SIGTERM",
            "1:it could not be started",
            "3:the configuration is wrong",
            "4:the address is taken, or not of this host",
            "5:the folder cannot be used, or another queen-bee uses it"
        },
        footer = {
            "",
            "Examples:",
            "  beefs queenbee --state /var/lib/hive --listen 127.0.0.1:7411",
            "  beefs queenbee --set queenbee.lease=60s",
            "  beefs queenbee --recover --honeycombs desk1:7412,desk2:7412",
            "  beefs queenbee --recover --honeycombs desk1:7412 --without desk2"
        })
public final class QueenBeeCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Mixin
    private RoleOptions role = new RoleOptions();

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where it listens.")
    private @Nullable String listen;

    @Option(
            names = "--recover",
            description =
                    "Rebuild the lost data first. Harmless when that was done before, but refused once she has been started without it: "
                            + "then move the data away first.")
    private boolean recover;

    @Option(
            names = "--honeycombs",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "All honeycombs of the hive, for --recover.")
    private List<String> honeycombs = new ArrayList<>();

    @Option(
            names = "--serve-read-only",
            description =
                    "With --recover: serve what the honeycombs know that can be reached, to be read only, until all have answered.")
    private boolean serveReadOnly;

    @Mixin
    private WithoutOption without = new WithoutOption();

    @Override
    public void run() {
        ProcessFolder folder = state.hive().queenBee();
        DaemonProcess process = DaemonProcess.of(folder, role.background(), System.getenv());
        Map<String, @Nullable Object> options = new HashMap<>();
        options.put("queenbee.listen", listen);
        process.runQueenBee(role.configuration(folder), role.settings(options), recovery());
    }

    private @Nullable RecoveryPlan recovery() {
        if (recover == honeycombs.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "--recover needs --honeycombs, and --honeycombs --recover");
        }
        if (serveReadOnly && !recover) {
            throw new CommandFailure(ExitCode.USAGE, "--serve-read-only needs --recover");
        }
        if (!without.desktops().isEmpty() && !recover) {
            throw new CommandFailure(ExitCode.USAGE, "--without needs --recover");
        }
        try {
            return recover
                    ? new RecoveryPlan(
                            honeycombs.stream().map(Addresses::parse).toList(),
                            Set.copyOf(without.desktops()),
                            serveReadOnly)
                    : null;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--honeycombs: " + e.getMessage());
        }
    }
}
