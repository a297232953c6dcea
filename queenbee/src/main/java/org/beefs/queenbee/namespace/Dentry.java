package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import org.beefs.queenbee.state.EntryRecord;

/** A name in a directory. The cookie is its place in the directory's order and never changes. */
public final class Dentry {
    final byte[] name;
    final long cookie;
    Inode inode;

    Dentry(byte[] name, long cookie, Inode inode) {
        this.name = name;
        this.cookie = cookie;
        this.inode = inode;
    }

    public ByteString name() {
        return ByteString.copyFrom(name);
    }

    public long cookie() {
        return cookie;
    }

    public Inode inode() {
        return inode;
    }

    EntryRecord toRecord() {
        return EntryRecord.newBuilder().setName(name()).setInode(inode.number).build();
    }

    boolean isNamed(byte[] other) {
        return Arrays.equals(name, other);
    }
}
