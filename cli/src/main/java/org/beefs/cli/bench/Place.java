package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.beefs.cli.process.ProcessUsage;

/** A directory that is compared with others. */
interface Place {
    Path directory();

    /** Makes the next look at it a first one. */
    void dropCaches() throws IOException, InterruptedException;

    /** What the daemons behind it have used. */
    ProcessUsage usage() throws IOException;

    /** Whether there are daemons behind it. */
    boolean hasDaemons();
}
