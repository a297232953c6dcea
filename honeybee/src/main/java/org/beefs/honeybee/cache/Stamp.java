package org.beefs.honeybee.cache;

/**
 * When a request was sent.
 *
 * @param generation of the cache
 * @param sentAt in nanoseconds of the boot clock
 */
public record Stamp(long generation, long sentAt) {}
