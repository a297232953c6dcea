package org.beefs.cli.control;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A daemon's answer.
 *
 * @param exitCode 0 when it was done, otherwise one of {@link org.beefs.cli.ExitCode}
 * @param failure one line for people, when it was not
 * @param status of a status request
 * @param note of a mount request: a line for people about what it cannot do, if there is such a thing
 * @param api of a call of the REST interface: what it answers
 */
public record ControlReply(
        int exitCode,
        @Nullable String failure,
        @Nullable DaemonStatus status,
        @Nullable String note,
        @Nullable JsonNode api) {
    public static final ControlReply DONE = new ControlReply(0, null, null, null, null);

    public static ControlReply of(DaemonStatus status) {
        return new ControlReply(0, null, status, null, null);
    }

    public static ControlReply done(@Nullable String note) {
        return new ControlReply(0, null, null, note, null);
    }

    public static ControlReply failed(int exitCode, String failure) {
        return new ControlReply(exitCode, failure, null, null, null);
    }

    public static ControlReply of(JsonNode api) {
        return new ControlReply(0, null, null, null, api);
    }
}
