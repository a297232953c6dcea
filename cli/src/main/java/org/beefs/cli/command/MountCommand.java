package org.beefs.cli.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.beefs.cli.configuration.HiveSetup;
import org.beefs.cli.mounts.MountPlace;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.option.DriverOption;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.Hive;
import org.beefs.cli.process.HiveLock;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.cli.view.DaemonProgress;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds one mount. */
@Command(
        name = "mount",
        mixinStandardHelpOptions = true,
        description = {
            "Mounts the hive at one more folder, through one of its desktops on this machine.",
            "",
            "The folder is made if it is not there, and mounted again whenever that desktop's daemon starts. It cannot be "
                    + "inside of a mounted hive. What no option says is as it was there before; beefs umount forgets how that was.",
            "",
            "In a hive that beefs up has made, a daemon that does not run is started, and a desktop that is not known yet gets a daemon "
                    + "without honeycomb: it offers no disk space, and all it reads and writes lies on other desktops. In a hive of "
                    + "several machines the daemon has to run already, as its unit starts it."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the hive is mounted there",
            "1:it could not be mounted",
            "5:the folder cannot be used",
            "7:there is no hive in the state folder, or the desktop's daemon has to be started first"
        },
        footer = {
            "",
            "Examples:",
            "  beefs mount /mnt/hive --desktop desktop2",
            "  beefs mount laptop-view --desktop laptop",
            "  beefs mount --read-only /mnt/look",
            "  beefs mount --driver jnr /mnt/other"
        })
public final class MountCommand implements Runnable {
    private static final String FIRST = "desktop1";

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DIR", description = "Folder to mount at.")
    private Path directory = Path.of("");

    @Option(
            names = "--desktop",
            paramLabel = "DESKTOP",
            description = "Whose daemon serves the mount. Default: the only desktop here, or " + FIRST)
    private @Nullable String desktop;

    /** Its name in earlier versions. */
    @Option(names = "--host", hidden = true)
    void setHost(String name) {
        desktop = name;
    }

    @Option(
            names = {"-r", "--read-only"},
            description = "Nothing can be changed through this mount.")
    private boolean readOnly;

    @Option(
            names = "--allow-other",
            description =
                    "Without root: let other users in too. Needs user_allow_other in /etc/fuse.conf; root's mounts are "
                            + "always for all users.")
    private boolean allowOther;

    @Mixin
    private DriverOption driver = new DriverOption();

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        HiveFolder folder = state.hive();
        if (desktop != null) {
            folder.desktop(desktop);
        }
        if (!folder.exists()) {
            throw new CommandFailure(
                    ExitCode.NOT_RUNNING,
                    "there is no hive in %s: run  beefs up  first%s".formatted(folder.path(), folder.elsewhere()));
        }
        ProcessFolder serving = serving(folder);
        MountTable table = MountTable.read();
        Path path = MountPlace.resolve(directory, table);
        MountPlace.requireOutside(path, table);
        try (HiveLock _ = HiveLock.take(folder)) {
            if (!HiveSetup.of(folder).isOfThisMachine()) {
                requireRunning(serving);
            }
            if (!serving.isKnown()) {
                MountPlace.prepare(path);
                HiveSetup.of(folder).addDesktopWithoutHoneycomb(serving);
                tellOfNewDesktop(serving.name());
            }
            Hive hive = new Hive(folder, System.getenv());
            try (DaemonProgress progress = output.starts(1)) {
                hive.start(List.of(serving), progress);
            }
            WantedMount wanted = wanted(path, serving);
            Optional<String> note = hive.mount(serving, wanted);
            output.show(new Mounted(wanted.path(), serving.name(), wanted.readOnly(), note.orElse(null)));
        }
    }

    /** A mount that could not be made again, because its disk was missing, must not come back with other rights. */
    private WantedMount wanted(Path path, ProcessFolder serving) {
        WantedMount before = new MountMemory(serving.mounts()).wantedAt(path).with(driver.chosen());
        return new WantedMount(
                before.path(), readOnly || before.readOnly(), allowOther || before.allowOther(), before.driver());
    }

    private ProcessFolder serving(HiveFolder folder) {
        if (desktop != null) {
            return folder.desktop(desktop);
        }
        List<ProcessFolder> known = folder.desktops();
        ProcessFolder first = folder.desktop(FIRST);
        if (known.size() > 1 && !first.isKnown()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    known.stream()
                            .map(ProcessFolder::name)
                            .collect(Collectors.joining(", ", "say whose daemon is to serve it with --desktop: ", "")));
        }
        return known.size() == 1 ? known.getFirst() : first;
    }

    /** What is started here would not be supervised, and a name that was made up here may be another machine's. */
    private static void requireRunning(ProcessFolder serving) {
        if (DaemonStopper.living(serving).isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_RUNNING,
                    serving.name()
                            + " does not run here: start it first, for example with  systemctl start beefs-desktop");
        }
    }

    private void tellOfNewDesktop(String name) {
        PrintWriter progress = output.progress();
        progress.println("Made a new desktop, " + name + ", without a honeycomb.");
        progress.flush();
    }

    /**
     * A mount that was made.
     *
     * @param note what it cannot do; null if there is no such thing
     */
    private record Mounted(
            String path,
            String desktop,
            boolean readOnly,
            @Nullable String note) implements Report {
        @Override
        public String render() {
            String lacking = note == null ? "" : note + "\n";
            return lacking + "Mounted at " + path + " on " + desktop + (readOnly ? ", read-only." : ".");
        }
    }
}
