package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.Set;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.jspecify.annotations.Nullable;

/**
 * The inodes that a kernel has locked while it asks for a change. Linux holds these locks (i_rwsem, taken in
 * fs/namei.c, fs/attr.c and fs/xattr.c) until it has taken over the answer, so whoever holds one now has taken over
 * what changes under it were answered before.
 *
 * @param since when the change was begun, in nanoseconds of the boot clock
 */
record KernelLocks(Set<Long> inodes, long since) {
    static final KernelLocks NONE = new KernelLocks(Set.of(), Long.MIN_VALUE);

    /**
     * The locks that are surely held on what a request names. Directories that it renames or removes are left out,
     * because a rename does not always lock them; so is what a name stands for if that is not known.
     */
    static KernelLocks of(QueenRequest request, long since, DirectoryTable known) {
        Set<Long> inodes = new HashSet<>();
        switch (request.getOperationCase()) {
            case CREATE -> inodes.add(request.getCreate().getParent());
            case MAKE_NODE -> inodes.add(request.getMakeNode().getParent());
            case MAKE_DIRECTORY -> inodes.add(request.getMakeDirectory().getParent());
            case MAKE_SYMBOLIC_LINK -> inodes.add(request.getMakeSymbolicLink().getParent());
            case LINK -> {
                inodes.add(request.getLink().getParent());
                inodes.add(request.getLink().getInode());
            }
            case UNLINK -> {
                inodes.add(request.getUnlink().getParent());
                addFile(
                        inodes,
                        known,
                        request.getUnlink().getParent(),
                        request.getUnlink().getName());
            }
            case REMOVE_DIRECTORY -> inodes.add(request.getRemoveDirectory().getParent());
            case RENAME -> addRenamed(inodes, known, request.getRename());
            case SET_ATTRIBUTES -> {
                // Privileges are taken away by the daemon itself, also when a file is opened, which locks nothing.
                if (!request.getSetAttributes().getClearPrivileges()) {
                    inodes.add(request.getSetAttributes().getInode());
                }
            }
            case SET_XATTR -> inodes.add(request.getSetXattr().getInode());
            case REMOVE_XATTR -> inodes.add(request.getRemoveXattr().getInode());
            default -> {}
        }
        return new KernelLocks(inodes, since);
    }

    private static void addRenamed(Set<Long> inodes, DirectoryTable known, Rename rename) {
        inodes.add(rename.getOldParent());
        inodes.add(rename.getNewParent());
        addFile(inodes, known, rename.getOldParent(), rename.getOldName());
        addFile(inodes, known, rename.getNewParent(), rename.getNewName());
    }

    private static void addFile(Set<Long> inodes, DirectoryTable known, long directory, ByteString name) {
        @Nullable CachedEntry entry = known.find(directory, name);
        if (entry != null && !entry.isAbsent() && !FileMode.isDirectory(entry.type())) {
            inodes.add(entry.inode());
        }
    }

    /** Whether the kernel has taken over what it was told at that time in the answer to a change of the inode. */
    boolean settle(long inode, long toldAt) {
        return toldAt < since && inodes.contains(inode);
    }
}
