package org.beefs.common.rpc;

import io.netty.handler.codec.DecoderException;

/** The other side of a connection does not have the key of this hive. Its message is a sentence for people. */
public final class KeyMismatchException extends DecoderException {
    private static final long serialVersionUID = 1;

    public KeyMismatchException(String message) {
        super(message);
    }
}
