package org.beefs.integration.program;

import java.util.ArrayList;
import java.util.List;

/** Taking away what a test has made. */
public final class Cleanup {
    private Cleanup() {}

    /** Closes all programs, whatever fails. */
    public static void close(List<RunningProgram> programs) {
        run(programs.stream().<Runnable>map(program -> program::close).toList());
    }

    /** Does all steps, whatever fails, and throws the first failure then, with the others suppressed. */
    public static void run(List<Runnable> steps) {
        List<Throwable> failures = new ArrayList<>();
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            AssertionError failure = new AssertionError("not all could be cleaned up", failures.removeFirst());
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
