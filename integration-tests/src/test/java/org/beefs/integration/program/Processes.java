package org.beefs.integration.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What /proc tells about processes that this one did not start itself. */
public final class Processes {
    /** Fields of /proc/PID/stat behind the name, which may itself hold spaces and brackets. */
    private static final int STATE = 0;

    private static final int THREADS = 17;

    private Processes() {}

    /** Whether it runs; one that has died and was not buried yet does not, once its last thread has ended. */
    public static boolean isAlive(long pid) {
        String[] fields = status(pid);
        return switch (fields[STATE]) {
            case "", "X" -> false;
            case "Z" -> Integer.parseInt(fields[THREADS]) > 1;
            default -> true;
        };
    }

    /** Whether it was stopped by a signal. */
    public static boolean isStopped(long pid) {
        return status(pid)[STATE].equals("T");
    }

    /** State and place in the kernel, for messages. */
    public static String describe(long pid) {
        return "process " + pid + " in state " + status(pid)[STATE] + ", waiting in " + read(pid, "wchan");
    }

    /** One empty field of a process that is not there. */
    private static String[] status(long pid) {
        String status = read(pid, "stat");
        int afterName = status.lastIndexOf(')');
        return (afterName < 0 ? "" : status.substring(afterName + 2)).split(" ", -1);
    }

    private static String read(long pid, String file) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc/" + pid, file)), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }
}
