package org.beefs.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which process it is, even after its pid went to another one: a pid is given again, the three together are not.
 *
 * @param pid the kernel's number
 * @param started clock ticks after the machine's start, from /proc
 * @param boot which start of the machine
 */
public record ProcessIdentity(long pid, long started, String boot) {
    private static final Path PROC = Path.of("/proc");

    /** Fields of /proc/PID/stat behind the name, which may itself hold spaces and brackets. */
    private static final int STATE = 0;

    private static final int THREADS = 17;

    private static final int START_TIME = 19;

    /** This process. */
    public static ProcessIdentity current() {
        return of(PROC, ProcessHandle.current().pid())
                .orElseThrow(() -> new IllegalStateException("/proc is not mounted"));
    }

    /** The living process of that number now. */
    static Optional<ProcessIdentity> of(Path proc, long pid) {
        try {
            String stat = Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            if (hasEnded(fields)) {
                return Optional.empty();
            }
            String boot =
                    Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
            return Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[START_TIME]), boot));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A zombie counts from its last thread on: while others end, they still hold the process's files and addresses. */
    private static boolean hasEnded(String... fields) {
        return fields[STATE].equals("X") || (fields[STATE].equals("Z") && Integer.parseInt(fields[THREADS]) <= 1);
    }

    /** Reads what {@link #toString} wrote; nothing when there is no such file or it is not one of ours. */
    public static Optional<ProcessIdentity> read(Path file) {
        try {
            String[] words = Files.readString(file).strip().split(" ", -1);
            return words.length == 3
                    ? Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]))
                    : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether this very process still runs. */
    public boolean isAlive() {
        return isAlive(PROC);
    }

    boolean isAlive(Path proc) {
        return of(proc, pid).filter(this::equals).isPresent();
    }

    /** As it is written to pid files. */
    @Override
    public String toString() {
        return pid + " " + started + " " + boot;
    }
}
