package org.beefs.honeybee.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to see, as he asks again and again.
 *
 * @param key names his watch, so that each answer goes on where the one before has ended
 * @param path below the root of the hive, by names; null for a process
 * @param process its number; 0 for a path
 * @param slowMillis only calls that take at least so long
 */
public record TraceQuestion(long key, @Nullable List<String> path, int process, long slowMillis) {}
