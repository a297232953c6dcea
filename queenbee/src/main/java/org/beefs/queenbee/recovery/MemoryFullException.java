package org.beefs.queenbee.recovery;

import java.io.IOException;

/**
 * The namespace does not fit into the memory that a recovery has. Only a new process can have more. The message is a
 * sentence for people.
 */
public final class MemoryFullException extends IOException {
    private static final long serialVersionUID = 1L;

    MemoryFullException(String message) {
        super(message);
    }
}
