package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The inodes by which an answer to a request is decided: what it names by number, and by name in a directory. Changes
 * of these that a delegated desktop has not told yet could make the answer wrong. Belongs to the namespace thread, and
 * is used again for each request.
 */
public final class NamedInodes {
    private final Namespace namespace;
    private final List<Inode> named = new ArrayList<>(4);

    public NamedInodes(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * The inodes in the order in which the request names them, at most four; those that do not exist are left out. The
     * list holds until the next call.
     */
    public List<Inode> of(QueenRequest request) {
        named.clear();
        add(request);
        return named;
    }

    /** Every request is named here, so that the compiler asks about each new one. */
    private void add(QueenRequest request) {
        switch (request.getOperationCase()) {
            case LOOKUP ->
                add(request.getLookup().getParent(), request.getLookup().getName());
            case CREATE ->
                add(request.getCreate().getParent(), request.getCreate().getName());
            case MAKE_NODE ->
                add(request.getMakeNode().getParent(), request.getMakeNode().getName());
            case MAKE_DIRECTORY ->
                add(
                        request.getMakeDirectory().getParent(),
                        request.getMakeDirectory().getName());
            case MAKE_SYMBOLIC_LINK ->
                add(
                        request.getMakeSymbolicLink().getParent(),
                        request.getMakeSymbolicLink().getName());
            case LINK -> {
                add(request.getLink().getInode());
                add(request.getLink().getParent(), request.getLink().getName());
            }
            case UNLINK ->
                add(request.getUnlink().getParent(), request.getUnlink().getName());
            case REMOVE_DIRECTORY ->
                add(
                        request.getRemoveDirectory().getParent(),
                        request.getRemoveDirectory().getName());
            case RENAME -> add(request.getRename());
            case GET_ATTRIBUTES -> add(request.getGetAttributes().getInode());
            case SET_ATTRIBUTES -> add(request.getSetAttributes().getInode());
            case CHECK_ACCESS -> add(request.getCheckAccess().getInode());
            case CREATE_UNNAMED -> add(request.getCreateUnnamed().getParent());
            case OPEN -> add(request.getOpen().getInode());
            case LIST_DIRECTORY -> add(request.getListDirectory());
            case GET_XATTR -> add(request.getGetXattr().getInode());
            case SET_XATTR -> add(request.getSetXattr().getInode());
            case LIST_XATTRS -> add(request.getListXattrs().getInode());
            case REMOVE_XATTR -> add(request.getRemoveXattr().getInode());
            case READ_SYMBOLIC_LINK -> {} // what it says never changes
            // No desktop decides anything by which these are answered.
            case RECORD_ACCESSES, CHANGE_REPLICATION, FIND_LOCK, SET_LOCK, RELEASE, SECURE_CONTENT, MAKE_ROOM -> {}
            case REGISTER, HEARTBEAT, GOODBYE, EJECT, INVENTORY, SYNC, EXPLAIN_WAITS -> {}
            case HIVE_STATUS, FILE_SYSTEM_STATUS, CHECK_INODES, CHECK_ENTRIES, CHECK_REPLICAS -> {}
            case DECLARE_LOST, FORGET, DRAIN, OPERATION_NOT_SET -> {}
        }
    }

    /**
     * Adds the inodes of a listing; none for a listing that nobody waits for, so that nobody is asked for his changes.
     */
    private void add(ListDirectory list) {
        if (!list.getAhead()) {
            add(list.getInode());
        }
    }

    private void add(Rename rename) {
        add(rename.getOldParent(), rename.getOldName());
        add(rename.getNewParent(), rename.getNewName());
    }

    private void add(long directory, ByteString name) {
        Inode parent = add(directory);
        Dentry entry = parent == null || !parent.isDirectory()
                ? null
                : parent.directory().find(name);
        if (entry != null) {
            named.add(entry.inode());
        }
    }

    private @Nullable Inode add(long number) {
        Inode inode = namespace.find(number);
        if (inode != null) {
            named.add(inode);
        }
        return inode;
    }
}
