package org.beefs.queenbee.namespace;

/** A name of an inode: the entry, and the directory that it is in. */
public record Link(Inode parent, Dentry entry) {}
