package org.beefs.honeybee.filesystem;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Attributes;

/**
 * How long a kernel may keep what it is answered, in nanoseconds; 0 not at all. Asked at the moment at which the answer
 * is sent: what was recalled while the answer was on its way gets no lifetime, and of what is recalled later the kernel
 * is told. Thread-safe.
 */
public interface Lifetimes {
    /** How long attributes may be kept: exactly these, as the mount shows them. */
    long attributes(Attributes attributes);

    /**
     * As {@link #attributes}, in the answer to a change of them for which the kernel has locked the inode (SETATTR,
     * LINK). Such an answer it takes over even if it has been told to forget while the answer was on its way.
     */
    long changedAttributes(Attributes attributes);

    /**
     * As {@link #attributes}, in the answer that makes an inode. Those of a new file that is open for writing may be
     * kept as long as this desktop has the write lease: nobody else changes it then, and what its own programs write a
     * kernel knows.
     */
    long madeAttributes(Attributes attributes);

    /** How long an entry may be kept that was looked up or made; inode 0 says that there is none of that name. */
    long entry(long directory, ByteString name, long inode);

    /** How long an entry of a listing may be kept. */
    long listedEntry(long directory, ByteString name, long inode);

    /**
     * Whether content of a file that is read from now on may be kept until the kernel is told otherwise, also for later
     * opens: as long as this desktop has the lease on its attributes nobody writes it.
     */
    boolean pages(long inode);

    /**
     * An inode's access control lists are answered, or that it has none: kept without a lifetime, with the attributes.
     */
    default void accessControl(long inode) {}

    /** The kernel keeps nothing any more and need not be told of anything. */
    void close();

    /** Nothing may be kept: for a kernel that is not told when something is not true any more. */
    Lifetimes NONE = new Lifetimes() {
        @Override
        public long attributes(Attributes attributes) {
            return 0;
        }

        @Override
        public long changedAttributes(Attributes attributes) {
            return 0;
        }

        @Override
        public long madeAttributes(Attributes attributes) {
            return 0;
        }

        @Override
        public long entry(long directory, ByteString name, long inode) {
            return 0;
        }

        @Override
        public long listedEntry(long directory, ByteString name, long inode) {
            return 0;
        }

        @Override
        public boolean pages(long inode) {
            return false;
        }

        @Override
        public void close() {}
    };
}
