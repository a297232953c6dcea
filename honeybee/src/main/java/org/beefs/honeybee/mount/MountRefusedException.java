package org.beefs.honeybee.mount;

import java.io.IOException;

/** This process may not mount a hive, whichever driver it would use. The message is a sentence for the user. */
public final class MountRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public MountRefusedException(String reason) {
        super(reason);
    }
}
