package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.Objects;
import java.util.stream.IntStream;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Stat;
import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;

/**
 * A file, directory, symbolic link or special file. There may be many millions: every field counts (a file with one
 * link may take 250 bytes of heap with all that belongs to it), hence packed times, no boxed values, and one class for
 * all types. Changed only by {@link Namespace#apply}.
 */
public final class Inode implements InodeTable.Numbered {
    /** Directories of a path that are shown. */
    private static final int MOST_LEVELS = 64;

    final long number;
    int mode;
    int links;
    int uid;
    int gid;
    long size;
    long blocks;
    long atime;
    long mtime;
    long ctime;
    long btime;
    int device;

    /** A {@link Directory}, the target of a symbolic link as bytes, or null. */
    @Nullable
    Object body;

    @Nullable
    Xattrs xattrs;

    int honeycomb;
    int generation;
    long epoch;
    long version;
    long committedMtime;
    long changed;
    boolean dirty;
    boolean unsealed;
    boolean moving;
    boolean linkable;
    Secondaries secondaries = Secondaries.NONE;
    ReplicationSettings replication = ReplicationSettings.DEFAULT;

    /** Directory of one of its names, and the entry there; null when it has none. See {@link Links}. */
    @Nullable
    Inode parent;

    @Nullable
    Dentry entry;

    Inode(long number) {
        this.number = number;
    }

    @Override
    public long number() {
        return number;
    }

    /** Type and permission bits. */
    public int mode() {
        return mode;
    }

    /** The number of names; for a directory also its own "." and the ".." of its sub-directories. */
    public int links() {
        return links;
    }

    public int uid() {
        return uid;
    }

    public int gid() {
        return gid;
    }

    /**
     * Size in bytes. That of a regular file is the newest version's, which is also what its primary replica then had.
     */
    public long size() {
        return size;
    }

    /** Units of {@link Stat#BLOCK} bytes. */
    public long blocks() {
        return blocks;
    }

    /** Bytes that a replica of the newest version takes. */
    public long space() {
        return Math.max(size, blocks * Stat.BLOCK);
    }

    /** The time of the last access, packed as all times here. */
    public long atime() {
        return atime;
    }

    public long mtime() {
        return mtime;
    }

    public long ctime() {
        return ctime;
    }

    public long btime() {
        return btime;
    }

    public int device() {
        return device;
    }

    /** Number of the honeycomb with the primary replica. */
    public int honeycomb() {
        return honeycomb;
    }

    public int generation() {
        return generation;
    }

    public long epoch() {
        return epoch;
    }

    /** Newest committed version; 0 when there never was one. */
    public long version() {
        return version;
    }

    /** mtime of the primary's replica file when the newest version was committed. */
    public long committedMtime() {
        return committedMtime;
    }

    /** Whether somebody may be writing. */
    public boolean dirty() {
        return dirty;
    }

    /** Whether the honeycomb has yet to seal the newest version. */
    public boolean unsealed() {
        return unsealed;
    }

    /** Whether the primary was moved to its honeycomb, which has not confirmed that yet. */
    public boolean moving() {
        return moving;
    }

    /** Whether it was made without a name, and may get one. */
    public boolean linkable() {
        return linkable;
    }

    /** Its secondary replicas. While it is dirty none of them is current. */
    public Secondaries secondaries() {
        return secondaries;
    }

    /** Numbers of all honeycombs that have, or are to have, a replica of this file; the primary's first. */
    public IntStream replicas() {
        return IntStream.concat(IntStream.of(honeycomb), secondaries.honeycombs());
    }

    /** Numbers of the honeycombs with the newest content: while somebody writes, only the primary replica has it. */
    public IntStream currentReplicas() {
        IntStream primary = IntStream.of(honeycomb);
        return dirty() ? primary : IntStream.concat(primary, secondaries.current());
    }

    /** Whether one of its replicas is, or is to be, in the honeycomb with that number. */
    public boolean isIn(int number) {
        return honeycomb == number || secondaries.has(number);
    }

    /** The name of its replicas, which is the same in all honeycombs, as it is now. */
    public ReplicaName.Builder replicaName() {
        return ReplicaName.newBuilder()
                .setInode(number)
                .setGeneration(generation)
                .setEpoch(epoch);
    }

    /** Version that the secondary in a honeycomb holds, where there is one; 0 when it holds nothing yet. */
    public long versionIn(int number) {
        return Math.max(0, version - secondaries.lag(number));
    }

    /** Whether several honeycombs must have on disk what somebody was told to be synced. */
    public boolean promises() {
        return replication.pFactor().orElse(0) > 1;
    }

    /**
     * Whether as many honeycombs have the newest version on disk, once the primary has, as the P-factor says. Extra
     * replicas do not count: they may go at any time.
     */
    public boolean isSecured() {
        return version != 0
                && secondaries.countCurrent() + 1 >= replication.pFactor().orElse(0);
    }

    /** Whether the newest version is secured, and not only in the primary's honeycomb. */
    boolean isElsewhere() {
        return isSecured() && (promises() || secondaries.countCurrent() > 0);
    }

    /** Whether a secondary is still the version to which the file can go back. */
    boolean canGoBack() {
        SecuredVersion secured = secondaries.secured();
        return secured != null
                && secondaries.honeycombs().anyMatch(honeycomb -> versionIn(honeycomb) == secured.version());
    }

    public ReplicationSettings replication() {
        return replication;
    }

    /** Journal sequence of the last change of anything here, or of its names. */
    public long changed() {
        return changed;
    }

    public boolean isDirectory() {
        return FileMode.isDirectory(mode);
    }

    public boolean isRegular() {
        return FileMode.isRegular(mode);
    }

    /**
     * Whether it is a file that has no content anywhere: it has been made, and nobody has ever written it. Its place in
     * a honeycomb is decided all the same, for the first that writes it.
     */
    public boolean isBlank() {
        return isRegular() && version == 0 && !dirty;
    }

    public boolean isSymbolicLink() {
        return FileMode.isSymbolicLink(mode);
    }

    /** The entries of a directory. */
    public Directory directory() {
        if (body instanceof Directory directory) {
            return directory;
        }
        throw new IllegalStateException("inode " + number + " is no directory");
    }

    /** The target of a symbolic link; not to be changed. */
    public byte[] target() {
        if (body instanceof byte[] target) {
            return target;
        }
        throw new IllegalStateException("inode " + number + " is no symbolic link");
    }

    /** One of its paths, for people: the last 64 levels of it; empty for the root and for an inode without a name. */
    public String path() {
        StringBuilder path = new StringBuilder();
        Inode at = this;
        for (int depth = 0; at.entry != null && at.parent != null && depth < MOST_LEVELS; depth++) {
            path.insert(0, "/" + at.entry.name().toStringUtf8());
            at = at.parent;
        }
        return path.toString();
    }

    public @Nullable Xattrs xattrs() {
        return xattrs;
    }

    /**
     * The value of an extended attribute; null when there is none. Of an access control list see {@link #accessList}.
     */
    public @Nullable ByteString xattr(ByteString name) {
        Xattrs present = xattrs;
        return present == null ? null : present.get(name);
    }

    /** The access control list, with the rights that the mode tells; empty when the mode says everything. */
    public ByteString accessList() {
        ByteString kept = xattr(AccessControlList.ACCESS);
        return kept == null
                ? ByteString.EMPTY
                : AccessControlList.of(kept).withMode(mode).bytes();
    }

    /** The access control list that a directory gives to what is made in it; empty when there is none. */
    public ByteString defaultList() {
        return Objects.requireNonNullElse(xattr(AccessControlList.DEFAULT), ByteString.EMPTY);
    }
}
