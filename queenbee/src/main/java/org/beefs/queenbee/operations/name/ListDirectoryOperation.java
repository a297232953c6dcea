package org.beefs.queenbee.operations.name;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.session.Session;

/** A page of a directory. Permission to list was checked when the directory was opened, as POSIX has it. */
public final class ListDirectoryOperation implements Operation {
    /** Bytes of entries in a page, so that a page is soon there. */
    private static final int MAX_BYTES = 2 << 20;

    private final Resolver resolver;
    private final Nodes nodes;
    private final Leases leases;

    public ListDirectoryOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        leases = state.leases();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        ListDirectory list = request.body().getListDirectory();
        Inode directory = resolver.directory(list.getInode());
        int limit = Math.clamp(list.getLimit(), 1, ProtocolBounds.DIRECTORY_ENTRIES);
        if (list.getAhead()) {
            requireAtHand(request.session(), directory, list.getAfter(), limit);
        } else if (list.getWithNodes()) {
            leases.requireNoDelegation(request.clearance(), entries(directory, list.getAfter(), limit));
        }
        Page page = new Page(limit, list.getWithNodes(), request.session());
        directory.directory().visit(list.getAfter(), page::add);
        reply.setDirectoryPage(page.builder
                .setEnd(!page.full)
                .setNextCookie(directory.directory().nextCookie())
                .setLeased(leases.grantDirectory(request.session(), directory))
                .setParent(directory.directory().parent().number()));
    }

    /**
     * Fails unless a listing that nobody waits for costs nobody anything: nobody is asked to let go of a lease for it,
     * and no part of a large directory is put together whose beginning nobody has seen.
     */
    private void requireAtHand(Session session, Inode directory, long after, int most) {
        List<Inode> entries = entries(directory, after, most + 1);
        if ((after == 0 && entries.size() > most)
                || leases.mayBeOutdated(session, directory)
                || entries.stream().anyMatch(entry -> leases.mayBeOutdated(session, entry))) {
            throw new PosixException(Errno.EAGAIN, "it is not to be had at once");
        }
    }

    /**
     * Inodes of at most so many entries: with nodes, all that is on a page is cleared at once, as each would be looked
     * up next.
     */
    private static List<Inode> entries(Inode directory, long after, int most) {
        List<Inode> listed = new ArrayList<>();
        directory.directory().visit(after, entry -> {
            listed.add(entry.inode());
            return listed.size() < most;
        });
        return listed;
    }

    /** Entries up to a bound. */
    private final class Page {
        private final DirectoryPage.Builder builder = DirectoryPage.newBuilder();
        private final int limit;
        private final boolean withNodes;
        private final Session session;
        private int bytes;
        private boolean full;

        Page(int limit, boolean withNodes, Session session) {
            this.limit = limit;
            this.withNodes = withNodes;
            this.session = session;
        }

        boolean add(Dentry dentry) {
            if (builder.getEntriesCount() == limit || bytes > MAX_BYTES) {
                full = true;
                return false;
            }
            Inode inode = dentry.inode();
            DirectoryEntry.Builder entry = DirectoryEntry.newBuilder()
                    .setName(dentry.name())
                    .setInode(inode.number())
                    .setType(inode.mode() & FileMode.TYPE_MASK)
                    .setCookie(dentry.cookie());
            if (withNodes && !leases.isHeldBack(session, inode)) {
                entry.setNode(nodes.of(inode, session));
            }
            DirectoryEntry built = entry.build();
            bytes += built.getSerializedSize();
            builder.addEntries(built);
            return true;
        }
    }
}
