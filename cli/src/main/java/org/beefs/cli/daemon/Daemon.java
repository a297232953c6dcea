package org.beefs.cli.daemon;

import java.util.List;
import org.beefs.cli.control.Controlled;
import org.beefs.cli.state.WantedMount;

/** A role that runs in this process. Thread-safe. Failures are {@link org.beefs.cli.program.CommandFailure}s. */
interface Daemon extends Controlled, AutoCloseable {
    /**
     * Begins its service; done when it is ready. Called once.
     *
     * @param mounts to be made, beside those that it remembers
     */
    void start(List<WantedMount> mounts);

    /** Ends the process, which closes the daemon: on a thread of its own, so that the answer still goes out. */
    @Override
    default void stop() {
        Thread.ofPlatform().name("beefs-exit").start(() -> System.exit(0));
    }

    /**
     * Stops cleanly, also while it starts: what was promised is kept, mounts are gone, others have been told. Called
     * once.
     */
    @Override
    void close();
}
