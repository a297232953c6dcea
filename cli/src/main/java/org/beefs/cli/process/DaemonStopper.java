package org.beefs.cli.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends daemons: first by asking (SIGTERM), then, when they take too long, by force. Only processes that are surely
 * ours.
 */
public final class DaemonStopper {
    private static final Duration CLEAN_STOP = Duration.ofSeconds(20);
    private static final Duration KILL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(DaemonStopper.class);

    private DaemonStopper() {}

    /** The living daemon of a folder. Fails when this user may not look. */
    public static Optional<ProcessIdentity> living(ProcessFolder folder) {
        return !folder.isKnown()
                ? Optional.empty()
                : ProcessIdentity.read(folder.pid()).filter(ProcessIdentity::isAlive);
    }

    /**
     * Stops the daemons of these folders, all at the same time.
     *
     * @param killed hears of those that had to be killed
     * @param stopped hears of each that has ended, if it ran
     */
    public static void stop(
            List<ProcessFolder> folders, Consumer<ProcessFolder> killed, Consumer<ProcessFolder> stopped) {
        List<ProcessFolder> left = new ArrayList<>(running(folders));
        for (ProcessFolder folder : folders) {
            handle(folder).ifPresent(handle -> {
                handle.destroy();
                wake(handle);
            });
        }
        if (gone(left, CLEAN_STOP, stopped)) {
            return;
        }
        for (ProcessFolder folder : folders) {
            handle(folder).ifPresent(handle -> {
                handle.destroyForcibly();
                killed.accept(folder);
            });
        }
        if (!gone(left, KILL, stopped)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "some daemons do not even end when killed: "
                            + String.join(
                                    ", ", left.stream().map(ProcessFolder::name).toList()));
        }
    }

    /**
     * Taken before looking at who it is, so that the handle, which knows its start, cannot reach a successor of the
     * pid.
     */
    private static Optional<ProcessHandle> handle(ProcessFolder folder) {
        return ProcessIdentity.read(folder.pid())
                .flatMap(identity -> ProcessHandle.of(identity.pid()).filter(_ -> identity.isAlive()));
    }

    /** One that was stopped (SIGSTOP) hears of its end only when it goes on. */
    private static void wake(ProcessHandle handle) {
        try {
            new ProcessBuilder("sh", "-c", "kill -CONT " + handle.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            LOG.debug("cannot wake {}: {}", handle.pid(), Reasons.of(e));
        }
    }

    /** Takes those away from what is left that have ended, until that is nothing or it takes too long. */
    private static boolean gone(List<ProcessFolder> left, Duration patience, Consumer<ProcessFolder> stopped) {
        return Await.until(patience, () -> {
            List<ProcessFolder> running = running(left);
            left.stream().filter(Predicate.not(running::contains)).forEach(stopped);
            left.retainAll(running);
            return left.isEmpty();
        });
    }

    private static List<ProcessFolder> running(List<ProcessFolder> folders) {
        return folders.stream().filter(folder -> living(folder).isPresent()).toList();
    }
}
