package org.beefs.cli.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.beefs.cli.CommandFailure;
import org.beefs.cli.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends daemons: first by asking (SIGTERM), then, when they take too long, by force. Only processes that are surely ours. */
public final class DaemonStopper {
    private static final Duration CLEAN_STOP = Duration.ofSeconds(20);
    private static final Duration KILL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(DaemonStopper.class);

    private DaemonStopper() {}

    /** The living daemon of a folder. */
    public static Optional<ProcessIdentity> living(ProcessFolder folder) {
        return ProcessIdentity.read(folder.pid()).filter(ProcessIdentity::isAlive);
    }

    /** Stops the daemons of these folders, all at the same time. Tells of those that had to be killed. */
    public static void stop(List<ProcessFolder> folders, Consumer<ProcessFolder> killed) {
        for (ProcessFolder folder : folders) {
            handle(folder).ifPresent(handle -> {
                handle.destroy();
                wake(handle);
            });
        }
        if (gone(folders, CLEAN_STOP)) {
            return;
        }
        for (ProcessFolder folder : folders) {
            handle(folder).ifPresent(handle -> {
                handle.destroyForcibly();
                killed.accept(folder);
            });
        }
        if (!gone(folders, KILL)) {
            throw new CommandFailure(ExitCode.FAILED, "some daemons do not even end when killed: " + living(folders));
        }
    }

    /** Taken before looking at who it is, so that the handle, which knows its start, cannot reach a successor of the pid. */
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

    private static boolean gone(List<ProcessFolder> folders, Duration patience) {
        return Await.until(patience, () -> living(folders).isEmpty());
    }

    private static List<String> living(List<ProcessFolder> folders) {
        return folders.stream()
                .filter(folder -> living(folder).isPresent())
                .map(ProcessFolder::name)
                .toList();
    }
}
