package org.beefs.queenbee.recovery;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.RecordPage;

/** The catalog of one honeycomb. */
public interface RecordSource {
    /** For messages to people. */
    String name();

    /** The next records from an inode on, in the order of their inodes. Fails when none come for a while. */
    CompletableFuture<RecordPage> page(long from);
}
