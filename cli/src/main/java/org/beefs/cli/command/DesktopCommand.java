package org.beefs.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.cli.daemon.DaemonProcess;
import org.beefs.cli.mounts.MountPlace;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.option.DriverOption;
import org.beefs.cli.option.RoleOptions;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one desktop daemon. */
@Command(
        name = "desktop",
        mixinStandardHelpOptions = true,
        description = {
            "Runs one desktop daemon in the foreground: its honeycomb, if it offers one, and its mounts. Ctrl-C and SIGTERM "
                    + "unmount, say goodbye to the queen-bee, and end it.",
            "",
            "Its data is kept in FOLDER/NAME; its settings come from desktop.toml there, or from --config, or from options. "
                    + "It also mounts wherever it was told to before (beefs mount)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "130, 143:ended by Ctrl-C, by SIGTERM",
            "1:it could not be started or mounted",
            "3:the configuration is wrong",
            "4:an address is taken, or not of this host",
            "5:a folder cannot be used, or another daemon uses it",
            "6:the queen-bee has another version or key"
        },
        footer = {
            "",
            "Examples:",
            "  beefs desktop laptop --queenbee 127.0.0.1:7411 --mount ~/hive",
            "  beefs desktop desk7 --queenbee bees.example.org:7411 --honeycomb /home/.honeycomb --listen 0.0.0.0:7412",
            "  beefs desktop desk7 --set honeycomb.capacity=200G --set honeycomb.reserve=20G"
        })
public final class DesktopCommand implements Runnable {
    @Mixin
    private StateOption state = new StateOption();

    @Mixin
    private RoleOptions role = new RoleOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "Name of the desktop, unique in the hive. Default: ${DEFAULT-VALUE}",
            defaultValue = "desktop1")
    private String name = "";

    @Option(names = "--queenbee", paramLabel = "HOST:PORT", description = "Where the queen-bee listens.")
    private @Nullable String queenBee;

    @Option(
            names = "--honeycomb",
            paramLabel = "DIR",
            description = "Offer disk space, in this folder. Default: as the file says; without a file, none.")
    private @Nullable Path honeycomb;

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where the honeycomb listens.")
    private @Nullable String listen;

    @Option(
            names = "--mount",
            paramLabel = "DIR",
            description = "Mount the hive there, now and at later starts. May be given several times.")
    private List<Path> mounts = new ArrayList<>();

    @Mixin
    private DriverOption driver = new DriverOption();

    @Override
    public void run() {
        ProcessFolder folder = state.hive().desktop(name);
        Path file = role.configuration(folder);
        Map<String, String> settings = settings();
        if (file == null) {
            requireQueenBee(folder, settings);
        }
        DaemonProcess process = DaemonProcess.of(folder, role.background(), System.getenv());
        MountTable table = MountTable.read();
        MountMemory memory = new MountMemory(folder.mounts());
        List<WantedMount> wanted = mounts.stream()
                .map(path -> MountPlace.resolve(path, table))
                .map(memory::wantedAt)
                .toList();
        process.runDesktop(file, settings, wanted);
    }

    /** Where other desktops have files, one without would look for her where nobody has said that she is. */
    private static void requireQueenBee(ProcessFolder folder, Map<String, String> settings) {
        if (!settings.containsKey("queenbee.address") && isAmongConfigured(folder)) {
            throw new CommandFailure(
                    ExitCode.CONFIGURATION,
                    "there is no %s: write it, call the desktop as its folder is called, or say --queenbee"
                            .formatted(folder.configuration()));
        }
    }

    private static boolean isAmongConfigured(ProcessFolder folder) {
        try {
            return folder.hive().desktops().stream().anyMatch(ProcessFolder::isConfigured);
        } catch (CommandFailure mayNotLook) {
            return false;
        }
    }

    private Map<String, String> settings() {
        Map<String, @Nullable Object> options = new HashMap<>();
        options.put("desktop.name", name);
        options.put("queenbee.address", queenBee);
        options.put("honeycomb.folder", honeycomb == null ? null : honeycomb.toAbsolutePath());
        options.put("honeycomb.listen", listen);
        options.put("honeybee.driver", driver.word());
        return role.settings(options);
    }
}
