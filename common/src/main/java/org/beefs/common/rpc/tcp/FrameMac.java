package org.beefs.common.rpc.tcp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Message authentication codes of the frames that go in one direction of a link, in a hive with a key: a
 * {@link SipHash} of the frame's number, which counts from 0, its header and its message, behind which it stands. So
 * only who has made the keys of this link can send a frame there, and none twice or out of order. Payloads are not
 * covered.
 *
 * <p>Not thread-safe: whoever sends frames of a link one after the other also numbers them.
 */
final class FrameMac {
    static final int LENGTH = Long.BYTES;

    private @Nullable SipHash hash;
    private long frames;

    /** How many bytes it adds to a frame; null where there is none. */
    static int lengthOf(@Nullable FrameMac mac) {
        return mac == null ? 0 : LENGTH;
    }

    /** Before the first frame. */
    void start(byte[] key) {
        hash = new SipHash(key);
    }

    /** The code of the next frame, of which the buffer has header and message. */
    long next(ByteBuffer head) {
        if (hash == null) {
            throw new IllegalStateException("a frame before the keys are known");
        }
        return hash.hash(frames++, head);
    }
}
