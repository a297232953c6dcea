package org.beefs.honeycomb.start;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the catalog from the replica files, after a stop that was not in order. Files that do not say what they are,
 * such as a crash leaves them in the middle of a creation, are moved to the lost files; those that cannot be read stay
 * where they are.
 */
public final class StartupScan {
    private static final Logger LOG = LoggerFactory.getLogger(StartupScan.class);

    private StartupScan() {}

    /**
     * The result of the scan.
     *
     * @param used bytes that the replicas take, also those that wait to be copied
     * @param unsealed those that carry no version: only these may be written by anybody
     * @param complete whether all files could be read, so that the catalog has all replicas
     */
    public record Found(long used, List<ReplicaId> unsealed, boolean complete) {}

    public static Found run(ReplicaFiles files, Catalog catalog) {
        AtomicLong used = new AtomicLong();
        AtomicLong replicas = new AtomicLong();
        List<ReplicaId> unsealed = new ArrayList<>();
        List<String> strange = new ArrayList<>();
        List<ReplicaId> unreadable = new ArrayList<>();
        catalog.clear();
        files.scan(file -> {
            ReplicaDescription says = file.description();
            if (file.unreadable() != null) {
                unreadable.add(file.unreadable());
            } else if (says == null) {
                strange.add(file.path());
            } else {
                catalog.put(says);
                if (says.getVersion() == 0) {
                    unsealed.add(ReplicaId.of(says));
                }
                used.addAndGet(file.blocks() * FileStatus.BLOCK);
                replicas.incrementAndGet();
            }
        });
        for (String path : strange) {
            LOG.warn("{} does not say which replica it is; moving it to the folder 'lost'", path);
            quarantine(files, path, unreadable);
        }
        unreadable.forEach(
                id -> catalog.see(id.inode())); // otherwise the newest would pass for a file that is empty yet
        used.addAndGet(uncopied(files.fenced()));
        LOG.info("found {} replicas, {} KiB, and {} lost files", replicas, used.get() >> 10, strange.size());
        return new Found(used.get(), unsealed, unreadable.isEmpty());
    }

    /**
     * Marks a replica as rotten until the next scan: nobody reads it, nobody takes it for what was committed, and
     * nothing else gets its name.
     *
     * @param says what it is, if the scan has not found it; what has its name and carries a version is another one
     */
    public static void refuse(ReplicaDescription says, Catalog catalog) {
        ReplicaDescription known = catalog.find(ReplicaId.of(says));
        if (known == null || known.getVersion() == 0) {
            ReplicaDescription refused = known == null ? says : known;
            catalog.put(refused.toBuilder().clearVersion().setRotten(true).build());
        }
    }

    /**
     * Bytes of files that were taken from their names and wait to be copied: they take space as before, but for those
     * that cannot be opened.
     */
    private static long uncopied(FencedFiles fenced) {
        long bytes = 0;
        for (String name : fenced.uncopied()) {
            try (ReplicaFile file = fenced.open(name)) {
                bytes += file == null ? 0 : file.status().allocated();
            } catch (PosixException e) {
                LOG.debug("the fenced file {} is not counted: {}", name, e.getMessage());
            }
        }
        return bytes;
    }

    /**
     * Moves a file to the lost ones. One that cannot be moved, as it is immutable, counts as one that cannot be read.
     */
    private static void quarantine(ReplicaFiles files, String path, List<ReplicaId> unreadable) {
        try {
            files.quarantine(path);
        } catch (PosixException e) {
            if (!ReplicaFiles.isOfTheFile(e.errno())) {
                throw e;
            }
            LOG.error("{} cannot be moved, and is kept as it is: {}", path, e.getMessage());
            ReplicaId id = ReplicaId.ofFileName(path.substring(path.lastIndexOf('/') + 1));
            if (id != null) {
                unreadable.add(id);
            }
        }
    }
}
