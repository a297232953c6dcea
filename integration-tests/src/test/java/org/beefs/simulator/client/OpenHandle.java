package org.beefs.simulator.client;

/**
 * A file that a client has open.
 *
 * @param handle the file system's number of the open
 * @param operation the model's number of it
 */
record OpenHandle(long handle, long inode, int operation, boolean read, boolean write) {}
