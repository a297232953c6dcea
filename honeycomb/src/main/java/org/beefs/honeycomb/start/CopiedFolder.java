package org.beefs.honeycomb.start;

import java.io.IOException;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Tells a folder that was copied without extended attributes: all its replicas would be EIO, and the next scan would
 * move them to the lost files.
 */
public final class CopiedFolder {
    /** Replicas that are looked at. */
    private static final int MOST = 32;

    private CopiedFolder() {}

    /**
     * Refuses a folder in which none of the first replicas says what it is that had done so on disk. Changes nothing.
     *
     * @throws IOException with a sentence for people
     */
    public static void refuse(ReplicaFiles files, Catalog catalog) throws IOException {
        boolean copied = false;
        for (ReplicaDescription replica : catalog.page(null, MOST)) {
            // One without a version may have been left so by a crash.
            if (replica.getVersion() == 0) {
                continue;
            }
            Look look = look(files, ReplicaId.of(replica));
            if (look == Look.DESCRIBED) {
                return;
            }
            copied |= look == Look.BARE;
        }
        if (copied) {
            throw new IOException(
                    "its files have lost the extended attribute user.beefs.replica, as in a copy that was made without: copy the "
                            + "folder once more, with  rsync -aHAXS --numeric-ids");
        }
    }

    private enum Look {
        DESCRIBED,
        /** It has content, and does not say whose. */
        BARE,
        /** It is not there, has no content, or cannot be read. */
        UNKNOWN
    }

    private static Look look(ReplicaFiles files, ReplicaId id) {
        try (ReplicaFile file = files.open(id)) {
            if (file == null) {
                return Look.UNKNOWN;
            }
            if (file.description() != null) {
                return Look.DESCRIBED;
            }
            return file.status().size() > 0 ? Look.BARE : Look.UNKNOWN;
        } catch (PosixException e) {
            return Look.UNKNOWN;
        }
    }
}
