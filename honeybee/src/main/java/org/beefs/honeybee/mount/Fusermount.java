package org.beefs.honeybee.mount;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.beefs.common.linux.DescriptorSender;
import org.beefs.common.posix.Errno;

/**
 * libfuse's set-user-ID program, which mounts for who is not root: it checks what he may, mounts without set-uid
 * programs and device files, and sends the descriptor of /dev/fuse over a socket that it finds in its environment.
 */
public final class Fusermount {
    /** The program of libfuse 3, and that of libfuse 2 where there is no other: both are used in the same way. */
    private static final List<String> PROGRAMS = List.of("fusermount3", "fusermount");

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Fusermount() {}

    /**
     * Mounts, and answers the descriptor to serve it through.
     *
     * @param maxRead bytes that one read of the kernel asks for at most
     * @throws IOException with a sentence for the user
     */
    public static int mount(Path point, MountOptions options, int maxRead) throws IOException {
        String program = installed()
                .orElseThrow(() -> refused(
                        point, "there is no fusermount3, which does that for users; install it (Debian: fuse3)"));
        DescriptorSender.Sent sent = DescriptorSender.run(
                List.of(program, "-o", mountOptions(options, maxRead), "--", point.toString()),
                "_FUSE_COMMFD",
                PATIENCE);
        if (sent.descriptor().isEmpty()) {
            throw refused(point, reason(sent.errors()));
        }
        return sent.descriptor().getAsInt();
    }

    private static MountRefusedException refused(Path point, String reason) {
        return new MountRefusedException("cannot mount at " + point + " without root: " + reason);
    }

    private static String mountOptions(MountOptions options, int maxRead) {
        List<String> words =
                new ArrayList<>(List.of("fsname=beefs", "subtype=beefs", "default_permissions", "max_read=" + maxRead));
        if (options.readOnly()) {
            words.add("ro");
        }
        if (options.allowOther()) {
            words.add("allow_other");
        }
        return String.join(",", words);
    }

    /** Unmounts what the same user has mounted. Answers 0 or a negative errno. */
    static int unmount(Path point, boolean lazy) {
        try {
            Process process = new ProcessBuilder(
                            installed().orElse(PROGRAMS.getFirst()), lazy ? "-uz" : "-u", "--", point.toString())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return -Errno.ETIMEDOUT.number();
            }
            return process.exitValue() == 0
                    ? 0
                    : errno(new String(process.getInputStream().readAllBytes(), UTF_8));
        } catch (IOException missing) {
            return -Errno.EPERM.number();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return -Errno.EINTR.number();
        }
    }

    /** The errno that the program's messages mean: it tells it in no other way. */
    private static int errno(String errors) {
        if (errors.contains("resource busy")) {
            return -Errno.EBUSY.number();
        }
        return errors.contains("not found") || errors.contains("Invalid argument")
                ? -Errno.EINVAL.number()
                : -Errno.EPERM.number();
    }

    private static String reason(String errors) {
        String line = errors.lines().findFirst().orElse("it gave no reason");
        return line.startsWith("fusermount") ? line : "fusermount: " + line;
    }

    private static Optional<String> installed() {
        List<String> folders =
                List.of(System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":"));
        return PROGRAMS.stream()
                .filter(program -> folders.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, program))))
                .findFirst();
    }
}
