package org.beefs.cli.program;

/** A command cannot be carried out. The message is one line for people; no stack trace is ever shown of it. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** With one of {@link ExitCode}. */
    public CommandFailure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
