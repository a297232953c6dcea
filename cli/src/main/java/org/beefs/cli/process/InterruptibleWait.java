package org.beefs.cli.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.InterruptAtExit;
import org.beefs.cli.state.Reasons;
import org.beefs.common.time.ProductionOnly;

/** Looking again and again how far others are, until Ctrl-C. For a command's thread. */
@ProductionOnly
public final class InterruptibleWait {
    private InterruptibleWait() {}

    /** What is waited for. Fails as a command does, or with IOException when a daemon does not answer. */
    public interface Wait<T> {
        T result() throws IOException;
    }

    /**
     * Waits. If that is interrupted, in a pause or while a daemon is asked, it fails as a command does.
     *
     * @param goesOn what people are told then, after a semicolon
     */
    public static <T> T run(String goesOn, Wait<T> wait) {
        try (InterruptAtExit _ = new InterruptAtExit()) {
            return wait.result();
        } catch (CommandFailure e) {
            throw interrupted(goesOn).orElse(e);
        } catch (IOException e) {
            throw interrupted(goesOn).orElseGet(() -> new CommandFailure(ExitCode.FAILED, Reasons.of(e)));
        }
    }

    private static Optional<CommandFailure> interrupted(String goesOn) {
        return Thread.currentThread().isInterrupted()
                ? Optional.of(new CommandFailure(ExitCode.FAILED, "interrupted; " + goesOn))
                : Optional.empty();
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
