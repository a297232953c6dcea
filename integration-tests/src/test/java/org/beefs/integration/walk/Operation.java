package org.beefs.integration.walk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.beefs.common.posix.PosixException;

/**
 * One step of the walk.
 *
 * @param text as people write it
 * @param predicted does it in the model
 * @param performed does it on the mount
 * @param named paths that must look like the model afterwards, whether it fails or not
 */
record Operation(String text, Supplier<Object> predicted, Supplier<Object> performed, List<String> named) {
    static final Object DONE = "done";

    /** What was drawn is better not done; another must be drawn. */
    static final Operation NONE = asking("nothing", () -> DONE, () -> DONE);

    /** One whose success has no further result. */
    static Operation of(String text, Runnable predicted, Runnable performed, String... named) {
        return new Operation(text, answering(predicted), answering(performed), List.of(named));
    }

    /** One that asks for something. */
    static Operation asking(String text, Supplier<Object> predicted, Supplier<Object> performed) {
        return new Operation(text, predicted, performed, List.of());
    }

    private static Supplier<Object> answering(Runnable action) {
        return () -> {
            action.run();
            return DONE;
        };
    }

    /** Bytes that can be compared. */
    static Object bytes(byte[] bytes) {
        return ByteBuffer.wrap(bytes);
    }

    /** What it comes to: the result, or the errno. */
    static Object outcome(Supplier<Object> action) {
        try {
            return action.get();
        } catch (PosixException e) {
            return e.errno();
        }
    }
}
