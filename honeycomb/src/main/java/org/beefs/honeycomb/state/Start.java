package org.beefs.honeycomb.state;

/**
 * A start of a daemon on a folder.
 *
 * @param boot the how manieth
 * @param at when it was, in nanoseconds since 1970: folders that were one have had different starts since they parted
 * @param complete up to which journal sequence the catalog was complete then; it goes on whenever the queen-bee accepts
 *     the folder
 */
public record Start(long boot, long at, long complete) {}
