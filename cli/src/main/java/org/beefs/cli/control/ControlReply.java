package org.beefs.cli.control;

import org.beefs.honeybee.trace.TraceAnswer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A daemon's answer.
 *
 * @param exitCode 0 when it was done, otherwise one of {@link org.beefs.cli.program.ExitCode}
 * @param failure one line for people, when it was not
 * @param status of a status request
 * @param note of a mount request: a line for people about what it cannot do, if there is such a thing
 * @param api of a call of the REST interface: what it answers
 * @param trace of a trace request: what was seen
 */
public record ControlReply(
        int exitCode,
        @Nullable String failure,
        @Nullable DaemonStatus status,
        @Nullable String note,
        @Nullable JsonNode api,
        @Nullable TraceAnswer trace) {
    public static final ControlReply DONE = new ControlReply(0, null, null, null, null, null);

    public static ControlReply of(DaemonStatus status) {
        return new ControlReply(0, null, status, null, null, null);
    }

    public static ControlReply done(@Nullable String note) {
        return new ControlReply(0, null, null, note, null, null);
    }

    public static ControlReply failed(int exitCode, String failure) {
        return new ControlReply(exitCode, failure, null, null, null, null);
    }

    public static ControlReply of(JsonNode api) {
        return new ControlReply(0, null, null, null, api, null);
    }

    public static ControlReply of(TraceAnswer trace) {
        return new ControlReply(0, null, null, null, null, trace);
    }
}
