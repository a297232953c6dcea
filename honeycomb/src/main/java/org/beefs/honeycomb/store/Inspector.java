package org.beefs.honeycomb.store;

import java.util.List;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.InspectReplicas;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaNumber;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.jspecify.annotations.Nullable;

/** Tells how replicas are, by what is in the folder now, whatever the process has open or remembers. Thread-safe. */
final class Inspector {
    private final ReplicaFiles files;
    private final Catalog catalog;
    private final OpenReplicas open;

    Inspector(ReplicaFiles files, Catalog catalog, OpenReplicas open) {
        this.files = files;
        this.catalog = catalog;
        this.open = open;
    }

    /** Looks at the replicas that are named, or at the next ones of the catalog. */
    List<ReplicaLook> inspect(InspectReplicas asked) {
        if (asked.getReplicasCount() > ProtocolBounds.REPLICA_LOOKS
                || asked.getLimit() > ProtocolBounds.REPLICA_LOOKS) {
            throw new PosixException(
                    Errno.E2BIG,
                    "at most " + ProtocolBounds.REPLICA_LOOKS + " replicas are looked at with one request");
        }
        List<ReplicaId> ids = asked.getReplicasCount() > 0
                ? asked.getReplicasList().stream().map(Inspector::id).toList()
                : next(asked);
        return ids.stream().map(id -> look(id, asked.getRepair())).toList();
    }

    private List<ReplicaId> next(InspectReplicas asked) {
        ReplicaId after = asked.hasAfter() ? id(asked.getAfter()) : null;
        return catalog.page(after, asked.getLimit()).stream().map(ReplicaId::of).toList();
    }

    private ReplicaLook look(ReplicaId id, boolean repair) {
        ReplicaLook.Builder look = ReplicaLook.newBuilder()
                .setReplica(ReplicaNumber.newBuilder().setInode(id.inode()).setGeneration(id.generation()));
        try (Use use = open.useUnchecked(id);
                var _ = use.replica().holdExclusively();
                ReplicaFile file = files.open(id)) {
            look(id, file, repair, look);
        } catch (PosixException e) {
            look.setFailure(e.toFailure());
        }
        return look.build();
    }

    /**
     * Looks at one replica. The catalog goes on naming one that is missing, so that it is not taken for an empty file.
     */
    private void look(ReplicaId id, @Nullable ReplicaFile file, boolean repair, ReplicaLook.Builder look) {
        if (file == null) {
            return;
        }
        ReplicaDescription says = file.description();
        if (says == null || !id.isOf(says)) {
            throw new PosixException(Errno.EIO, "its file does not say what it is");
        }
        ReplicaDescription known = catalog.find(id);
        if (Catalog.withMark(known, says).getRotten()) {
            throw new PosixException(Errno.EIO, "its content is not what it was");
        }
        look.setStatus(Observer.seen(file.status()).setInode(id.inode()).setVersion(says.getVersion()))
                .setEpoch(says.getEpoch())
                .setSecondary(says.getKind() == ReplicaKind.REPLICA_KIND_SECONDARY);
        if (!Objects.equals(says, known)) {
            look.setCatalogDiffers(true).setCatalogRepaired(repair);
            if (repair) {
                catalog.put(says);
            }
        }
    }

    private static ReplicaId id(ReplicaNumber number) {
        return new ReplicaId(number.getInode(), number.getGeneration());
    }
}
