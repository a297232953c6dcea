package org.beefs.simulator.model;

/**
 * What holds in a run.
 *
 * @param exactTimes operations do not overlap, so that times which somebody set can be told from those that followed
 * @param sessionsMayEnd a desktop may be cut off for so long that its session ends, and with it what kept an unlinked
 *     inode
 */
public record Rules(boolean exactTimes, boolean sessionsMayEnd) {}
