package org.beefs.honeycomb.disk;

import java.util.Collection;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * The disk below a honeycomb: its folder, which this process uses alone. Thread-safe. Methods fail with
 * {@link org.beefs.common.posix.PosixException} and the disk's errno.
 */
public interface ReplicaFiles extends AutoCloseable {
    /** Opens a replica file; null when there is none. Fails as {@link #checkPlace} rather than to answer null. */
    @Nullable
    ReplicaFile open(ReplicaId id);

    /**
     * Whether a failure to open or to look at a file says something of that file, as when the disk cannot read it or a
     * virus scanner keeps everybody from it; otherwise the process can open no more files at all.
     */
    static boolean isOfTheFile(Errno failure) {
        return failure != Errno.ENFILE && failure != Errno.EMFILE && failure != Errno.ENOMEM;
    }

    /**
     * Makes an empty replica file that carries its description. When that fails there is no file; a crash in between
     * leaves an empty one without description, which the scan of the next start finds. EEXIST when there is one.
     */
    ReplicaFile create(ReplicaDescription description);

    /**
     * A file that becomes a replica when it is whole: what an earlier attempt has left of it, or an empty one. It is
     * not found as a replica, whatever crashes, and is gone at the next start.
     */
    ReplicaFile incoming(ReplicaId id);

    /** Gives an incoming file the replica's name, which another file may have had until now. */
    void install(ReplicaId id);

    /** Removes an incoming file. That there is none is no failure. */
    void discardIncoming(ReplicaId id);

    /** Removes a replica file, immutable or not. That there is none is no failure. */
    void delete(ReplicaId id);

    /** Brings the replica file's name to disk, with the folders above it. */
    void syncName(ReplicaId id);

    /** Brings to disk that these replica files were removed, or were not there. */
    void syncRemovals(Collection<ReplicaId> removed);

    /**
     * As syncfs(2): all content and all names. Fails also for earlier failures to write in the background, each of
     * which is told once: see {@code GroupSync}; but not where {@link #tellsOfLostWrites} is false.
     */
    void syncAll();

    /** Whether {@link #syncAll} fails when content could not be written; {@link ReplicaFile#sync} always does. */
    boolean tellsOfLostWrites();

    /** Shows each file in the folder, in no certain order. */
    void scan(Consumer<ScannedFile> visitor);

    /** Moves a file that is no replica out of the way, into the folder for lost files; keeps its content. */
    void quarantine(String path);

    DiskSpace space();

    /** Whether it can be known that nobody writes a file any more. */
    boolean showsWriters();

    /** Whether programs that write a file in passthrough can be stopped, with {@link ReplicaFile#setImmutable}. */
    boolean fences();

    /** Files that were taken from their names. */
    FencedFiles fenced();

    /**
     * Fails with EIO when the folder is not at its place any more, because it was moved, or a disk was mounted over it:
     * then what is missing there is not gone.
     */
    default void checkPlace() {}

    /**
     * What tells the file that this process has locked from all others of the machine, while it runs; empty where there
     * is none.
     */
    default String lock() {
        return "";
    }

    /** The honeycomb's identity; null when none was ever written. */
    byte @Nullable [] readIdentity();

    /** Replaces the honeycomb's identity at once and on disk: a crash leaves the old or the new one. */
    void writeIdentity(byte[] identity);

    /** Lets the folder go. Open files are closed by whoever opened them. */
    @Override
    void close();

    /**
     * A file that was found in the folder.
     *
     * @param path its name, for {@link #quarantine} and for people
     * @param description what is written on it; null when that is missing, not to be understood, or not what its name
     *     says
     * @param blocks space it takes, in blocks of 512 bytes
     * @param unreadable whose it is, by its name, when the rest cannot be read; otherwise null
     */
    record ScannedFile(
            String path,
            @Nullable ReplicaDescription description,
            long blocks,
            @Nullable ReplicaId unreadable) {
        ScannedFile(String path, @Nullable ReplicaDescription description, long blocks) {
            this(path, description, blocks, null);
        }
    }
}
