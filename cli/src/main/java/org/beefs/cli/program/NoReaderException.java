package org.beefs.cli.program;

/** Nobody reads what a command writes. No failure of it, so that nobody takes it for one: the command just ends. */
public final class NoReaderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoReaderException() {
        super("nobody reads the output any more", null, false, false);
    }
}
