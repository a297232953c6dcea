package org.beefs.honeycomb.start;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.Identity;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * What a start finds in the folder.
 *
 * @param used bytes that replicas take
 * @param closed replicas that are immutable
 * @param doubtful whether the last stop was not in order, and there may be replicas
 * @param complete whether all replicas could be read, and can be used
 * @param torn whether some may be torn by a loss of power and do not show it, so that a later start has to see to them
 * @param inOrder whether the last stop has brought all to disk
 */
public record FoundReplicas(
        long used, Set<ReplicaId> closed, boolean doubtful, boolean complete, boolean torn, boolean inOrder) {
    /**
     * Looks through the folder, or asks its catalog. After an orderly stop the catalog knows; nobody writes a replica
     * then, and none is immutable. But one may still wait to be copied, and has to get its name back.
     */
    public static FoundReplicas in(ReplicaFiles files, Catalog catalog, long boot, boolean machineIsNew) {
        OptionalLong known = catalog.takeMark(boot);
        boolean inOrder = known.isPresent();
        if (inOrder && files.fenced().uncopied().isEmpty()) {
            return new FoundReplicas(known.getAsLong(), Set.of(), false, true, false, true);
        }
        StillWritten stillWritten = new StillWritten(files);
        stillWritten.finish();
        StartupScan.Found found = StartupScan.run(files, catalog);
        List<ReplicaId> unmarked = machineIsNew && !inOrder ? PowerCut.mark(files, found.unsealed()) : List.of();
        Set<ReplicaId> closed = stillWritten.replaceWritten(found.unsealed());
        unmarked.forEach(id -> StartupScan.refuse(id.toDescription(), catalog));
        stillWritten.unusable().forEach(says -> StartupScan.refuse(says, catalog));
        boolean torn = !unmarked.isEmpty() || !stillWritten.unusable().isEmpty();
        boolean complete = found.complete() && !torn;
        boolean none = complete && catalog.page(null, 1).isEmpty();
        return new FoundReplicas(found.used(), closed, !none && !inOrder, complete, torn, inOrder);
    }

    /** The folder's identity in a new start of the machine. */
    public Identity settle(Identity identity, String machineStart) {
        Identity known = inOrder ? identity : identity.losing();
        return torn ? known : known.in(machineStart);
    }
}
