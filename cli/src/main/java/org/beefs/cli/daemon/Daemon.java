package org.beefs.cli.daemon;

import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.control.DaemonStatus;

/** A role that runs in this process. Thread-safe. Failures are {@link org.beefs.cli.CommandFailure}s. */
interface Daemon extends AutoCloseable {
    /**
     * Begins its service; done when it is ready. Called once.
     *
     * @param mounts to be made, beside those that it remembers
     */
    void start(List<Path> mounts);

    DaemonStatus status();

    void mount(Path path);

    void umount(Path path);

    /** Stops cleanly, also while it starts: what was promised is kept, mounts are gone, others have been told. Called once. */
    @Override
    void close();
}
