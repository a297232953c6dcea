package org.beefs.cli.control;

import java.nio.file.Path;

/** A daemon as tools see it. Thread-safe. Failures are {@link org.beefs.cli.CommandFailure}s. */
public interface Controlled {
    DaemonStatus status();

    void mount(Path path);

    void umount(Path path);

    /** Begins to stop, and returns. */
    void stop();
}
