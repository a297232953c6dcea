package org.beefs.cli.process;

import java.time.Duration;
import java.util.function.Supplier;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.common.time.ProductionOnly;

/** Looking again and again how far others are, until Ctrl-C. For a command's thread. */
@ProductionOnly
public final class InterruptibleWait {
    private InterruptibleWait() {}

    /**
     * Waits. If that is interrupted, in a pause or while a daemon is asked, it fails as a command does.
     *
     * @param goesOn what people are told then, after a semicolon
     */
    public static <T> T run(String goesOn, Supplier<T> wait) {
        try (InterruptAtExit _ = new InterruptAtExit()) {
            return wait.get();
        } catch (CommandFailure e) {
            throw Thread.currentThread().isInterrupted()
                    ? new CommandFailure(ExitCode.FAILED, "interrupted; " + goesOn)
                    : e;
        }
    }

    /** A pause between two looks; fails when it is interrupted. */
    public static void pause(Duration time) {
        Await.interruptWithin(time);
        requireUninterrupted();
    }

    /** Where there is no pause for long. */
    public static void requireUninterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }
}
