package org.beefs.cli.program;

/**
 * The reader of a command's output has gone. No {@link CommandFailure}, so that nobody reports one: the command just
 * ends.
 */
public final class NoReaderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoReaderException() {
        super("nobody reads the output any more", null, false, false);
    }
}
