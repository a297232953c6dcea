package org.beefs.cli.mounts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.state.Reasons;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether anybody still serves a mounted hive. */
final class Served {
    private static final Logger LOG = LoggerFactory.getLogger(Served.class);

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Of the connection with a daemon that had ended before it was asked, or ended meanwhile. */
    private static final List<String> ENDED =
            List.of("Transport endpoint is not connected", "Software caused connection abort");

    private Served() {}

    /**
     * Whether the daemon of what is mounted there has surely ended. Only asking it tells, and one that is stopped or hangs never answers:
     * then even being killed may not end who waits for it, and no process ends before its last thread. So another process asks, and is
     * left behind when that takes too long; it ends with the daemon, or when that goes on.
     */
    static boolean isDead(Path path) {
        try {
            Process asking = ask(path);
            if (!asking.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                asking.destroyForcibly();
                return false;
            }
            String answer = new String(asking.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return asking.exitValue() != 0 && ENDED.stream().anyMatch(answer::contains);
        } catch (IOException e) {
            LOG.debug("cannot find out whether {} is served: {}", path, Reasons.of(e));
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Of all questions the kernel answers only that for the space never by itself. */
    private static Process ask(Path path) throws IOException {
        ProcessBuilder asking = new ProcessBuilder("stat", "-f", "-c", "%t", path.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        asking.environment().put("LC_ALL", "C");
        return asking.start();
    }
}
