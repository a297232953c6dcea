package org.beefs.cli.daemon;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import tools.jackson.databind.JsonNode;

/** A role that runs in this process. Thread-safe. Failures are {@link org.beefs.cli.program.CommandFailure}s. */
interface Daemon extends AutoCloseable {
    /**
     * Begins its service; done when it is ready. Called once.
     *
     * @param mounts to be made, beside those that it remembers
     */
    void start(List<WantedMount> mounts);

    DaemonStatus status();

    /** Answers a line for people about what the mount cannot do, if there is such a thing. */
    Optional<String> mount(WantedMount mount);

    void umount(Path path);

    /** Copies nothing in the background for so long; for no time to go on. */
    void pause(Duration time);

    /** Begins to compare all replicas with their checksums, unless that is under way. */
    void scrub();

    /**
     * Calls the REST interface as an administrator; a problem that it answers is a failure.
     *
     * @param user of this machine, who calls
     */
    JsonNode api(ApiCall call, String user);

    /** What programs have asked of the mounts since the question before. */
    TraceAnswer trace(TraceQuestion question);

    /**
     * Stops cleanly, also while it starts: what was promised is kept, mounts are gone, others have been told. Called
     * once.
     */
    @Override
    void close();
}
