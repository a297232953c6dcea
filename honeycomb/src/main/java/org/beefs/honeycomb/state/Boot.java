package org.beefs.honeycomb.state;

/**
 * A start of the daemon on its folder.
 *
 * @param number counts the starts; 1 is the first
 * @param afterLoss the last one before which the machine had lost its power, so that what was not synced until then may
 *     be gone; 0 when there was none
 */
public record Boot(long number, long afterLoss) {}
