package org.beefs.common.replica;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.ReplicaStatus;

/** Keeps a replica's file in place for somebody who reads, and maybe writes, it past the honeycomb. Thread-safe. */
public interface ReplicaPin {
    /**
     * A descriptor of the file, opened for reading only; belongs to the honeycomb, which keeps it open until the
     * release.
     */
    int descriptor();

    /** Bytes in the file now. Fails with EIO when the disk does. */
    long size();

    /**
     * Says that whoever had the pin has let the file go.
     *
     * @return what the replica was like when certainly nobody wrote it any more through this pin: that is only known
     *     when the file is neither open for writing nor mapped by anybody, or when another pin that may write has yet
     *     to be released. So it may take as long as a program keeps a mapping. Fails when the honeycomb stops before,
     *     or the disk fails
     */
    CompletableFuture<ReplicaStatus> release();
}
