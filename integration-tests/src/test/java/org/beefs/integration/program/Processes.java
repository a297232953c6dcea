package org.beefs.integration.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What /proc tells about processes that this one did not start itself. */
public final class Processes {
    private Processes() {}

    /** Whether it runs; one that has died and was not buried yet does not. */
    public static boolean isAlive(long pid) {
        String state = state(pid);
        return !state.isEmpty() && !state.equals("Z") && !state.equals("X");
    }

    /** Whether it was stopped by a signal. */
    public static boolean isStopped(long pid) {
        return state(pid).equals("T");
    }

    /** State and place in the kernel, for messages. */
    public static String describe(long pid) {
        return "process " + pid + " in state " + state(pid) + ", waiting in " + read(pid, "wchan");
    }

    private static String state(long pid) {
        String status = read(pid, "stat");
        int afterName = status.lastIndexOf(')');
        return afterName < 0 ? "" : status.substring(afterName + 2, afterName + 3);
    }

    private static String read(long pid, String file) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc/" + pid, file)), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }
}
