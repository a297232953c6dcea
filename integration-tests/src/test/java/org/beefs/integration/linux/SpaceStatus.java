package org.beefs.integration.linux;

/**
 * What statfs says about a file system.
 *
 * @param capacity in bytes
 * @param free in bytes, including what only root may use
 * @param available in bytes
 * @param inodes that there may be
 * @param freeInodes that may still be made
 * @param maximumName longest name, in bytes
 */
public record SpaceStatus(long capacity, long free, long available, long inodes, long freeInodes, long maximumName) {
    public long usedInodes() {
        return inodes - freeInodes;
    }
}
