package org.beefs.queenbee.operations;

import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;

/**
 * What the answer to a change says besides its result: all that the change has touched, as it is afterwards, and what
 * of it may be cached. Its author, whose leases were not recalled, knows by this what of his cache is outdated.
 */
public final class Effects {
    private final Namespace namespace;
    private final Leases leases;
    private final Nodes nodes;
    private final Delegations delegations;

    public Effects(QueenState state) {
        namespace = state.namespace();
        leases = state.leases();
        nodes = new Nodes(state);
        delegations = new Delegations(state);
    }

    /** Adds what a request has touched to its answer. */
    public void add(Touched touched, QueenRequest request, Session author, QueenReply.Builder reply) {
        if (!touched.entries().isEmpty()) {
            reply.setEntryLeased(leaseEntries(touched, author));
            reply.setEntryCookie(cookieOfTheOnlyEntry(touched));
        }
        boolean isAsked = !request.hasDecision(); // otherwise it is delegated already
        long answered = reply.getNode().getAttributes().getInode();
        for (Inode inode : touched.inodes()) {
            if (inode.number() != answered) {
                boolean namesAsked = isAsked && touched.hasNamesIn(inode);
                boolean delegated = namesAsked && delegations.grantToChanger(author, inode);
                Node node = nodes.of(inode, author);
                reply.addTouched(delegated ? node.toBuilder().setDelegated(true).build() : node);
                if (namesAsked && takesName(request)) {
                    reply.addAllDelegatedNames(delegations.grantNames(author, inode, takesOut(request, inode)));
                }
            }
        }
    }

    /** Whether a name is removed or moved, and others may be next. */
    private static boolean takesName(QueenRequest request) {
        return request.hasUnlink() || request.hasRename();
    }

    /**
     * Whether something is in the directory no more, so that it may be about to be emptied: whoever gives a file
     * another name in it may do that with each save.
     */
    private static boolean takesOut(QueenRequest request, Inode directory) {
        Rename rename = request.getRename();
        return request.hasUnlink()
                || (rename.getOldParent() == directory.number()
                        && rename.getNewParent() != directory.number()
                        && !rename.getExchange());
    }

    /** The answer as it is kept for a request that is sent again: by then a registration has ended all leases. */
    public static QueenReply withoutLeases(QueenReply reply) {
        QueenReply.Builder kept =
                reply.toBuilder().clearEntryLeased().clearTouched().clearDelegatedNames();
        if (kept.hasNode()) {
            kept.setNode(withoutLeases(kept.getNode()));
        }
        return kept.build();
    }

    /** The answer to who may have had leases recalled before it comes: it tells what has changed all the same. */
    public static QueenReply withoutGrants(QueenReply reply) {
        return withoutLeases(reply).toBuilder()
                .addAllTouched(reply.getTouchedList().stream()
                        .map(Effects::withoutLeases)
                        .toList())
                .build();
    }

    private static Node withoutLeases(Node node) {
        return node.toBuilder()
                .clearAttributesLeased()
                .clearEntriesLeased()
                .clearWriteLeased()
                .clearDelegated()
                .build();
    }

    /**
     * The cookie of the only touched entry that is there now; 0 when there is not just one, as after an exchange or a
     * removal.
     */
    private long cookieOfTheOnlyEntry(Touched touched) {
        long only = 0;
        for (Touched.Entry entry : touched.entries()) {
            Inode directory = namespace.find(entry.directory());
            Dentry there = directory == null ? null : directory.directory().find(entry.name());
            if (there != null && only != 0) {
                return 0;
            }
            only = there == null ? only : there.cookie();
        }
        return only;
    }

    private boolean leaseEntries(Touched touched, Session author) {
        boolean all = true;
        for (Touched.Entry entry : touched.entries()) {
            Inode directory = namespace.find(entry.directory());
            all &= directory != null && (entry.isParent() || leases.grantDirectory(author, directory));
        }
        return all;
    }
}
