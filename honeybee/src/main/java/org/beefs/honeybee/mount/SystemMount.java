package org.beefs.honeybee.mount;

import java.io.IOException;
import java.nio.file.Path;

/** A mount as the operating system knows it. Answers of unmounting are 0 or a negative Linux errno. */
public interface SystemMount {
    /** Where it was mounted. */
    Path point();

    /** Whether it is seen anywhere. */
    boolean isPresent() throws IOException;

    /** Unmounts it wherever it is seen if nobody uses it, and waits until its pages are written. */
    int unmount();

    /** Takes the mount away from programs that use it: what they have open fails from now on. */
    int unmountByForce();

    /**
     * Ends the connection of a mount that is seen nowhere any more and still in use. Does nothing when it has ended.
     */
    void abort() throws IOException;

    /** Gives up what this process holds to be able to abort. To be called when nobody serves the mount any more. */
    void release();
}
