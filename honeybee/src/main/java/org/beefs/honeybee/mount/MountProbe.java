package org.beefs.honeybee.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks a mount whether anybody still serves it. Only asking tells, and a daemon that is stopped or hangs never answers:
 * then even being killed may not end who waits for it, and no process ends before its last thread. So another process
 * asks, and is left behind when that takes too long; it ends with the daemon, or when that goes on.
 */
public final class MountProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Messages about the connection with a daemon that had ended before it was asked, or ended meanwhile. */
    private static final List<String> ENDED =
            List.of("Transport endpoint is not connected", "Software caused connection abort");

    private MountProbe() {}

    /** What became of who serves a mount. */
    public enum Daemon {
        ANSWERS,

        /** It is stopped, hangs, or is very busy. */
        SILENT,

        /** For certain: nobody will ever serve this mount again. */
        ENDED
    }

    /** Asks. Waits for two seconds at most. */
    public static Daemon ask(Path point) throws IOException {
        Process asking = start(point);
        try {
            if (!asking.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                asking.destroyForcibly();
                return Daemon.SILENT;
            }
        } catch (InterruptedException e) {
            asking.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking who serves " + point, e);
        }
        String answer = new String(asking.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return asking.exitValue() != 0 && ENDED.stream().anyMatch(answer::contains) ? Daemon.ENDED : Daemon.ANSWERS;
    }

    /**
     * Starts the process that asks: for the file system's space, the only question that the kernel never answers by
     * itself.
     */
    private static Process start(Path point) throws IOException {
        ProcessBuilder asking = new ProcessBuilder("stat", "-f", "-c", "%t", point.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        asking.environment().put("LC_ALL", "C");
        try {
            return asking.start();
        } catch (IOException e) {
            throw new IOException("cannot find out who serves " + point + ": " + e.getMessage(), e);
        }
    }
}
