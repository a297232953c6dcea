package org.beefs.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.mounts.MountPlace;
import org.beefs.cli.mounts.MountRemoval;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DIR", description = "Where the hive is mounted.")
    private Path directory = Path.of("");

    @Option(
            names = {"-l", "--lazy"},
            description = "Take it away at once although programs still use it.")
    private boolean lazy;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        MountTable table = MountTable.read();
        Path path = MountPlace.resolve(directory, table);
        List<ProcessFolder> desktops = remembering(path);
        if (desktops.isEmpty() && !table.isHive(path)) {
            throw new CommandFailure(ExitCode.FAILED, "no hive is mounted at " + path);
        }
        boolean done = !lazy && isDone(desktops, path);
        if (!done) {
            MountRemoval.now(path);
        }
        desktops.stream()
                .filter(desktop -> !done || !isLiving(desktop))
                .forEach(desktop -> new MountMemory(desktop.mounts()).remove(path));
        if (MountTable.read().isHive(path)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "another hive is mounted at %1$s: to unmount that too, use  beefs umount %1$s".formatted(path));
        }
        output.show(new Unmounted(path.toString(), done));
    }

    /** None of a hive that is somebody else's: the mount may be the user's own nevertheless. */
    private List<ProcessFolder> remembering(Path path) {
        try {
            return state.hive().desktops().stream()
                    .filter(desktop ->
                            new MountMemory(desktop.mounts()).at(path).isPresent())
                    .toList();
        } catch (CommandFailure mayNotLook) {
            return List.of();
        }
    }

    /**
     * Whether the mount was taken away by its daemon, or by the kernel because nobody used it. A desktop that does not
     * live has left a dead mount at most: what else is there is of another hive.
     */
    private static boolean isDone(List<ProcessFolder> desktops, Path path) {
        if (desktops.isEmpty()) {
            return MountRemoval.politely(path, ANSWER);
        }
        List<ProcessFolder> living =
                desktops.stream().filter(UmountCommand::isLiving).toList();
        if (living.size() < desktops.size()) {
            MountRemoval.leftovers(path);
        }
        return living.isEmpty() ? isOtherUnmounted(path) : allHaveUnmounted(living, path);
    }

    /** Whether another hive was mounted there, and is not any more. It is not cut off: it may only be slow. */
    private static boolean isOtherUnmounted(Path path) {
        if (!MountTable.read().isHive(path)) {
            return false;
        }
        if (!MountRemoval.politely(path, ANSWER)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "another hive is mounted at %1$s and could not be unmounted within %2$d s: try again, or use  beefs umount --lazy %1$s"
                            .formatted(path, ANSWER.toSeconds()));
        }
        return true;
    }

    private static boolean isLiving(ProcessFolder desktop) {
        return DaemonStopper.living(desktop).isPresent();
    }

    /** False when one of the daemons does not answer. Fails when one refuses, after all were asked. */
    private static boolean allHaveUnmounted(List<ProcessFolder> living, Path path) {
        List<CommandFailure> refusals = new ArrayList<>();
        boolean answered = true;
        for (ProcessFolder desktop : living) {
            try {
                new ControlClient(desktop).umount(path, ANSWER);
            } catch (IOException e) {
                answered = false;
            } catch (CommandFailure e) {
                refusals.add(e);
            }
        }
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
        return answered;
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
}
