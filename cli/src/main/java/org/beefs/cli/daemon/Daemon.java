package org.beefs.cli.daemon;

import java.nio.file.Path;
import org.beefs.cli.control.DaemonStatus;

/** A role that runs in this process. Thread-safe. Failures are {@link org.beefs.cli.CommandFailure}s. */
interface Daemon extends AutoCloseable {
    DaemonStatus status();

    void mount(Path path);

    void umount(Path path);

    /** Stops cleanly: what was promised is kept, mounts are gone, others have been told. Called once. */
    @Override
    void close();
}
