package org.beefs.honeybee.trace;

import java.util.List;

/**
 * What was seen since the question before. Its JSON is an interface: fields are added, never renamed.
 *
 * @param ended calls that were answered, in that order
 * @param open calls that wait for an answer now
 * @param leftOut calls that were answered and are not here, because there was no room for them
 * @param more whether there are more already than fit in here
 */
public record TraceAnswer(List<TracedCall> ended, List<TracedCall> open, long leftOut, boolean more) {}
