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
 * @param touched afterwards: the paths that must look the same from everywhere
 */
record Operation(String text, Supplier<Object> predicted, Supplier<Object> performed, Supplier<List<String>> touched) {

    private static final String DONE = "done";

    /** One whose success has no further result. */
    static Operation of(String text, Runnable predicted, Runnable performed, String... touched) {
        return new Operation(text, answering(predicted), answering(performed), () -> List.of(touched));
    }

    /** One that was better not done. */
    static Operation none(String text) {
        return asking(text, () -> DONE, () -> DONE);
    }

    /** One that asks for something. */
    static Operation asking(String text, Supplier<Object> predicted, Supplier<Object> performed) {
        return new Operation(text, predicted, performed, List::of);
    }

    static Supplier<Object> answering(Runnable action) {
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
