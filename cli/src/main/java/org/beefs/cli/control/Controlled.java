package org.beefs.cli.control;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import tools.jackson.databind.JsonNode;

/** A daemon as tools see it. Thread-safe. Failures are {@link org.beefs.cli.program.CommandFailure}s. */
public interface Controlled {
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

    /** Begins to stop, and returns. */
    void stop();
}
