package org.beefs.cli.program;

/** What a command's exit code tells a script; 0 is success, and 2 a wrong command line as picocli reports it. */
public final class ExitCode {
    /** Something could not be done, for another reason than those below. */
    public static final int FAILED = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** The configuration is wrong: an unknown key, a bad value. */
    public static final int CONFIGURATION = 3;

    /** An address is taken, or not of this host. */
    public static final int ADDRESS = 4;

    /** A folder cannot be used: no rights, not there, or in use by another process. */
    public static final int FOLDER = 5;

    /** Programs of different versions met, or the state was written by another version. */
    public static final int VERSION = 6;

    /** What was asked of is not running. */
    public static final int NOT_RUNNING = 7;

    /** Nobody reads the output any more. As a program that SIGPIPE has ended, the command says nothing then. */
    public static final int NO_READER = 141;

    private ExitCode() {}
}
