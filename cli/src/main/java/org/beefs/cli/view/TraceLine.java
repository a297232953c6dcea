package org.beefs.cli.view;

import org.beefs.honeybee.trace.TracedCall;

/**
 * Something that a trace shows. Its JSON is an interface: fields are added, never renamed.
 *
 * @param desktop whose mount was asked
 * @param state ended, or waiting: then it is shown again when it waits for something else, and when it has ended
 */
public record TraceLine(String desktop, String state, TracedCall call) {
    public static final String ENDED = "ended";
    public static final String WAITING = "waiting";
}
