package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;

/**
 * Takes what the queen-bee answers into the cache: what she says is leased, and nothing else. What a change of ours has
 * touched, and its answer does not lease, is forgotten. Guarded by the cache's lock.
 */
final class CacheFiller {
    private final NodeTable nodes;
    private final DirectoryTable directories;
    private final WriteLeases writing;
    private final Delegations delegations;

    /** @param writing files on which the write lease is held */
    CacheFiller(NodeTable nodes, DirectoryTable directories, WriteLeases writing, Delegations delegations) {
        this.delegations = delegations;
        this.nodes = nodes;
        this.directories = directories;
        this.writing = writing;
    }

    /**
     * Takes one answer over.
     *
     * @param leases whether leases in it count: not when the cache was emptied since the request was sent
     */
    void takeReply(QueenRequest request, QueenReply reply, boolean leases, Update update) {
        boolean entryLeased = leases && reply.getEntryLeased();
        if (reply.getFailure().getErrno() != 0) {
            if (entryLeased && reply.getFailure().getErrno() == Errno.ENOENT.number()) {
                takeAbsence(request, update);
            }
            return;
        }
        Effects effects = Effects.of(request, directories);
        takeNames(request, reply, effects, entryLeased, update);
        effects.inodes().forEach(inode -> nodes.remove(inode, update));
        if (request.hasRelease()) {
            nodes.removeIfDirty(request.getRelease().getInode(), update);
        }
        takeNodes(reply, leases, update);
        if (request.hasOpen() || request.hasCreate()) {
            takeWriteLease(reply.getNode(), leases);
        }
        takeDelegation(request, reply.getNode(), leases);
        reply.getTouchedList().forEach(node -> takeDelegation(node, leases));
        if (leases) {
            delegations.addNames(reply.getDelegatedNamesList());
        }
        addPages(effects, update);
        if (request.hasListDirectory()) {
            takePage(request.getListDirectory(), reply.getDirectoryPage(), leases, update);
        } else if (leases && request.hasMakeDirectory() && reply.getNode().getEntriesLeased()) {
            directories.addEmpty(
                    inode(reply.getNode()), request.getMakeDirectory().getParent(), update);
        }
    }

    /**
     * Takes a change over that is decided here, under delegations, with the answer that it is going to get. What it
     * touches counts as changed here until {@link #takeAnswered}.
     */
    void takeDecided(QueenRequest request, QueenReply reply, Effects effects, Update update) {
        for (EntryKey name : effects.names()) {
            directories.changed(name.directory(), update);
        }
        if (reply.getNode().getDelegated()) {
            EntryKey name = effects.names().getFirst();
            CachedEntry made = entry(name.name(), reply.getNode(), 0);
            directories.setUnplaced(name.directory(), name.name(), made, update);
            delegations.add(made.inode());
            takeWriteLease(reply.getNode(), true);
        } else if (request.hasRename()) {
            setRenamed(request, update);
        } else {
            for (EntryKey name : effects.names()) {
                setRemoved(request, name, update);
            }
        }
        for (long inode : effects.inodes()) {
            nodes.remove(inode, update);
        }
        if (reply.hasNode()) {
            nodes.put(reply.getNode(), update);
        }
        for (Node touched : reply.getTouchedList()) {
            nodes.put(touched, update);
        }
        addPages(effects, update);
        if (request.hasMakeDirectory()) {
            directories.addEmpty(
                    inode(reply.getNode()), request.getMakeDirectory().getParent(), update);
        }
    }

    /** Has kernels drop the pages of files that are not known to be clean. */
    private void addPages(Effects effects, Update update) {
        for (long inode : effects.inodes()) {
            if (!nodes.hasClean(inode)) {
                update.invalidation().addPages(inode);
            }
        }
    }

    private void setRemoved(QueenRequest request, EntryKey name, Update update) {
        delegations.remove(request.getDecision().getInode());
        if (request.hasRemoveDirectory()) {
            removeDirectoryOf(name);
        }
        directories.set(name.directory(), name.name(), CachedEntry.absent(name.name()), update);
    }

    private void setRenamed(QueenRequest request, Update update) {
        Rename rename = request.getRename();
        CachedEntry moved = directories.find(rename.getOldParent(), rename.getOldName());
        if (moved != null) {
            directories.setUnplaced(rename.getNewParent(), rename.getNewName(), moved.at(0), update);
        }
        directories.set(rename.getOldParent(), rename.getOldName(), CachedEntry.absent(rename.getOldName()), update);
        delegations.remove(request.getDecision().getReplaced());
    }

    /**
     * Takes over the queen-bee's answer to a change that was decided here: it tells the new name's place in listings,
     * and where it differs from the decision it counts.
     */
    void takeAnswered(QueenRequest request, QueenReply reply, Effects effects, Update update) {
        if (request.hasCreate() || request.hasMakeDirectory() || request.hasRename()) {
            EntryKey made = effects.names().getLast();
            place(made, request.getDecision().getInode(), reply.getEntryCookie());
        }
        takeNodes(reply, true, update);
    }

    /**
     * Sets a name's place in listings, unless the name was changed here since: it may have been made again, and has
     * another place then.
     */
    private void place(EntryKey name, long inode, long cookie) {
        if (!delegations.isAhead(name.directory(), name.name())) {
            directories.place(name.directory(), name.name(), inode, cookie);
        }
    }

    private void takeAbsence(QueenRequest request, Update update) {
        switch (request.getOperationCase()) {
            case LOOKUP ->
                setAbsent(request.getLookup().getParent(), request.getLookup().getName(), update);
            case UNLINK ->
                setAbsent(request.getUnlink().getParent(), request.getUnlink().getName(), update);
            case REMOVE_DIRECTORY ->
                setAbsent(
                        request.getRemoveDirectory().getParent(),
                        request.getRemoveDirectory().getName(),
                        update);
            default -> {}
        }
    }

    private void takeNames(
            QueenRequest request, QueenReply reply, Effects effects, boolean entryLeased, Update update) {
        if (request.hasLookup()) {
            if (entryLeased) {
                set(
                        request.getLookup().getParent(),
                        request.getLookup().getName(),
                        entry(request.getLookup().getName(), reply.getNode(), 0),
                        update);
            }
            return;
        }
        effects.names().forEach(name -> directories.changed(name.directory(), update));
        if (request.hasRemoveDirectory()) {
            removeDirectoryOf(effects.names().getFirst());
        }
        if (!entryLeased) {
            effects.names().forEach(name -> directories.forget(name.directory(), name.name()));
        } else if (request.hasRename()) {
            rename(request.getRename(), reply.getEntryCookie(), update);
        } else if (reply.hasNode()) {
            long cookie = reply.getEntryCookie();
            effects.names()
                    .forEach(name ->
                            set(name.directory(), name.name(), entry(name.name(), reply.getNode(), cookie), update));
        } else {
            effects.names().forEach(name -> setAbsent(name.directory(), name.name(), update));
        }
        if (request.hasRename()) {
            moved(request.getRename(), update);
        }
    }

    private void removeDirectoryOf(EntryKey name) {
        CachedEntry removed = directories.find(name.directory(), name.name());
        if (removed != null) {
            directories.gone(removed.inode());
        }
    }

    /** A rename between two names of one inode does nothing, so both must be known. */
    private void rename(Rename rename, long cookie, Update update) {
        CachedEntry moved = directories.find(rename.getOldParent(), rename.getOldName());
        CachedEntry replaced = directories.find(rename.getNewParent(), rename.getNewName());
        if (moved == null || replaced == null) {
            directories.forget(rename.getOldParent(), rename.getOldName());
            directories.forget(rename.getNewParent(), rename.getNewName());
        } else if (moved.inode() != replaced.inode()) {
            set(rename.getNewParent(), rename.getNewName(), moved.at(cookie), update);
            if (rename.getExchange()) {
                set(rename.getOldParent(), rename.getOldName(), replaced.at(0), update);
            } else {
                setAbsent(rename.getOldParent(), rename.getOldName(), update);
                directories.gone(replaced.inode());
            }
        }
        if (moved != null) {
            directories.forgetListing(moved.inode());
        }
        if (replaced != null) {
            directories.forgetListing(replaced.inode());
        }
    }

    private void moved(Rename rename, Update update) {
        if (rename.getOldParent() != rename.getNewParent()) {
            directories.moved(rename.getOldParent(), rename.getNewParent(), update);
            if (rename.getExchange()) {
                directories.moved(rename.getNewParent(), rename.getOldParent(), update);
            }
        }
    }

    private void takePage(ListDirectory list, DirectoryPage page, boolean leases, Update update) {
        if (leases && page.getLeased() && !delegations.isListingAhead(list.getInode())) {
            directories.addPage(list.getInode(), list.getAfter(), page, update);
            return;
        }
        CachedDirectory known = directories.find(list.getInode());
        if (known != null) {
            known.interruptListing();
        }
    }

    private void takeNodes(QueenReply reply, boolean leases, Update update) {
        if (reply.hasNode()) {
            takeNode(reply.getNode(), leases, update);
        }
        reply.getTouchedList().forEach(node -> takeNode(node, leases, update));
        for (DirectoryEntry entry : reply.getDirectoryPage().getEntriesList()) {
            if (entry.hasNode()) {
                takeNode(entry.getNode(), leases, update);
            }
        }
    }

    /**
     * Takes a node over, unless the inode was changed here and the queen-bee has not answered that: then it is newer
     * here than in any answer.
     */
    private void takeNode(Node node, boolean leases, Update update) {
        if (delegations.isAhead(inode(node))) {
            return;
        }
        if (leases && node.getAttributesLeased()) {
            nodes.put(node, update);
        } else {
            nodes.end(inode(node), update);
        }
    }

    /** Takes a delegation over, or ends that of an inode that gets another name or an extended attribute. */
    private void takeDelegation(QueenRequest request, Node node, boolean leases) {
        switch (request.getOperationCase()) {
            case LINK -> delegations.remove(request.getLink().getInode());
            case SET_XATTR -> delegations.remove(request.getSetXattr().getInode());
            case REMOVE_XATTR -> delegations.remove(request.getRemoveXattr().getInode());
            default -> takeDelegation(node, leases);
        }
    }

    private void takeDelegation(Node node, boolean leases) {
        if (leases && node.getDelegated()) {
            delegations.add(inode(node));
        }
    }

    /**
     * Notes a write lease. An answer without one takes none away: a writer who loses his lease is told so otherwise.
     */
    private void takeWriteLease(Node node, boolean leases) {
        if (leases && node.getWriteLeased()) {
            writing.add(inode(node));
        }
    }

    private void set(long directory, ByteString name, CachedEntry entry, Update update) {
        if (!FileName.isDots(name) && !delegations.isAhead(directory, name)) {
            directories.set(directory, name, entry, update);
        }
    }

    private void setAbsent(long directory, ByteString name, Update update) {
        set(directory, name, CachedEntry.absent(name), update);
    }

    private static CachedEntry entry(ByteString name, Node node, long cookie) {
        return new CachedEntry(name, inode(node), node.getAttributes().getMode() & FileMode.TYPE_MASK, cookie);
    }

    private static long inode(Node node) {
        return node.getAttributes().getInode();
    }
}
