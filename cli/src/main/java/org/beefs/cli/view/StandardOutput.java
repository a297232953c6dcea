package org.beefs.cli.view;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.program.NoReaderException;
import org.beefs.cli.state.Reasons;
import org.beefs.common.linux.Libc;

/**
 * Whether what commands write arrives. Other programs are ended by SIGPIPE when nobody reads any more; the JVM ignores
 * that, and its streams swallow failures.
 */
final class StandardOutput {
    private static final int DESCRIPTOR = 1;
    private static final short POLLERR = 8;

    private StandardOutput() {}

    /** Fails if something could not be written. */
    static void requireWritten() {
        if (System.out.checkError()) {
            String reason = failure();
            throw reason.equals("Broken pipe")
                    ? new NoReaderException()
                    : new CommandFailure(ExitCode.FAILED, "the output cannot be written: " + reason);
        }
    }

    /** Fails when nobody reads any more, also while nothing is written. */
    static void requireReader() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment polled = arena.allocate(JAVA_INT, 2); // struct pollfd: a descriptor, events asked and told
            polled.setAtIndex(JAVA_INT, 0, DESCRIPTOR);
            int ready = Libc.poll(polled, 1, 0);
            if (ready > 0 && (polled.getAtIndex(JAVA_INT, 1) >>> Short.SIZE & POLLERR) != 0) {
                throw new NoReaderException();
            }
        }
    }

    /** The next attempt fails in the same way. */
    @SuppressWarnings("resource") // standard output is not ours to close
    private static String failure() {
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
            return "a part is missing";
        } catch (IOException e) {
            return Reasons.of(e);
        }
    }
}
