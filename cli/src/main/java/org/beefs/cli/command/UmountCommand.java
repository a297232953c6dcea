package org.beefs.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.mounts.MountPoint;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.mounts.Unmount;
import org.beefs.cli.option.JsonOption;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.view.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes one mount away. */
@Command(
        name = "umount",
        mixinStandardHelpOptions = true,
        description = {
            "Unmounts a hive from a folder, for good: the next up does not mount it there again. What umount(8) takes away is "
                    + "mounted again by the next up, and whenever the desktop's daemon starts.",
            "",
            "It works within 5 seconds also when the desktop daemon is dead, hangs or was stopped: then the kernel is told "
                    + "to let go of the mount, and programs that still use it get errors."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no hive is mounted there any more",
            "1:it could not be unmounted, for example because it is in use"
        },
        footer = {"", "Examples:", "  beefs umount hive", "  beefs umount --lazy hive    although programs still use it"
        })
public final class UmountCommand implements Runnable {
    /** Leaves time for taking it away by force within the promised 5 s. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DIR", description = "Where the hive is mounted.")
    private Path directory = Path.of("");

    @Option(
            names = {"-l", "--lazy"},
            description = "Take it away at once although programs still use it.")
    private boolean lazy;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public void run() {
        MountTable table = MountTable.read();
        Path path = MountPoint.resolve(directory, table);
        List<ProcessFolder> desktops = state.hive().desktops().stream()
                .filter(desktop -> new MountMemory(desktop.mounts()).at(path).isPresent())
                .toList();
        boolean mounted = table.isHive(path);
        if (desktops.isEmpty() && !mounted) {
            throw new CommandFailure(ExitCode.FAILED, "no hive is mounted at " + path);
        }
        boolean done = !lazy
                && (desktops.isEmpty()
                        ? Unmount.politely(path, ANSWER)
                        : desktops.stream().allMatch(desktop -> asked(desktop, path)));
        if (!done) {
            Unmount.now(path);
            desktops.forEach(desktop -> new MountMemory(desktop.mounts()).remove(path));
        }
        Output.of(spec).show(new Unmounted(path.toString(), done), json);
    }

    /**
     * A mount that is gone.
     *
     * @param finished whether its daemon has finished what was under way
     */
    private record Unmounted(String path, boolean finished) implements Report {
        @Override
        public String render() {
            return "Unmounted " + path + ".";
        }
    }

    /** Whether the daemon has unmounted it. Fails when the daemon refuses; false when it does not answer. */
    private static boolean asked(ProcessFolder desktop, Path path) {
        if (DaemonStopper.living(desktop).isEmpty()) {
            return false;
        }
        try {
            new ControlClient(desktop).umount(path, ANSWER);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
