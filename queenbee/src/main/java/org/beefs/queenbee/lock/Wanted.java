package org.beefs.queenbee.lock;

/** A lock that somebody asks for. */
public record Wanted(long inode, Owner owner, Mode mode, Range range, int pid) {}
