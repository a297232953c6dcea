package org.beefs.honeycomb.disk;

import java.util.List;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Replica files that were taken from their names because programs may still write them, each under a name of its own
 * here. First they wait to be copied, then, while programs hold them, to be removed. Methods fail with
 * {@link org.beefs.common.posix.PosixException} and the disk's errno. Not thread-safe.
 */
public interface FencedFiles {
    /**
     * Takes a replica's file from its name, in one step; takes the immutable flag off for it. The answer names it here.
     */
    String take(ReplicaId id);

    /** Names of files that wait to be copied. */
    List<String> uncopied();

    /** Names of files that wait to be removed. */
    List<String> copied();

    /** The replica whose file it was. */
    ReplicaId replica(String name);

    /** Opens a file; null when a crash in the middle of {@link #take} or {@link #remove} has left none. */
    @Nullable
    ReplicaFile open(String name);

    /**
     * Makes a replica's file with the content and times of this one, which is immutable. On disk with its name when
     * this returns; a crash before leaves no file of that name.
     */
    void copy(String name, ReplicaDescription description);

    /**
     * Gives a file that is not immutable its replica's name back, which no other file has. On disk when this returns.
     */
    void putBack(String name);

    /** Marks a file as one that need not be copied any more. */
    void finish(String name);

    /** Removes it for good, immutable or not. */
    void remove(String name);
}
