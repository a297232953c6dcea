package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.jspecify.annotations.Nullable;

/**
 * What a request changes if it succeeds.
 *
 * @param names entries that are made, moved or removed; of a rename the old one first
 * @param inodes whose attributes change, as far as they can be told
 * @param certain whether {@code inodes} are all: false when a name is changed of which it is not known what it names
 */
record Effects(List<EntryKey> names, Set<Long> inodes, boolean certain) {
    private static final Effects NONE = new Effects(List.of(), Set.of(), true);

    static Effects of(QueenRequest request, DirectoryTable known) {
        return switch (request.getOperationCase()) {
            case CREATE -> creating(request.getCreate(), known);
            case MAKE_NODE ->
                making(request.getMakeNode().getParent(), request.getMakeNode().getName());
            case MAKE_DIRECTORY ->
                making(
                        request.getMakeDirectory().getParent(),
                        request.getMakeDirectory().getName());
            case MAKE_SYMBOLIC_LINK ->
                making(
                        request.getMakeSymbolicLink().getParent(),
                        request.getMakeSymbolicLink().getName());
            case LINK -> linking(request.getLink());
            case UNLINK ->
                ofNames(
                        known,
                        new EntryKey(
                                request.getUnlink().getParent(),
                                request.getUnlink().getName()));
            case REMOVE_DIRECTORY ->
                ofNames(
                        known,
                        new EntryKey(
                                request.getRemoveDirectory().getParent(),
                                request.getRemoveDirectory().getName()));
            case RENAME -> renaming(request.getRename(), known);
            case SET_ATTRIBUTES -> ofInode(request.getSetAttributes().getInode());
            case SET_XATTR -> ofInode(request.getSetXattr().getInode());
            case REMOVE_XATTR -> ofInode(request.getRemoveXattr().getInode());
            case OPEN ->
                request.getOpen().getWrite() ? ofInode(request.getOpen().getInode()) : NONE;
            default -> NONE;
        };
    }

    private static Effects ofInode(long inode) {
        return new Effects(List.of(), Set.of(inode), true);
    }

    private static Effects making(long parent, ByteString name) {
        return new Effects(List.of(new EntryKey(parent, name)), Set.of(parent), true);
    }

    /** The effects of creating a file. One that is there already is opened, and may become dirty. */
    private static Effects creating(Create create, DirectoryTable known) {
        return create.getExclusive()
                ? making(create.getParent(), create.getName())
                : ofNames(known, new EntryKey(create.getParent(), create.getName()));
    }

    private static Effects linking(Link link) {
        return new Effects(
                List.of(new EntryKey(link.getParent(), link.getName())),
                Set.copyOf(List.of(link.getInode(), link.getParent())),
                true);
    }

    private static Effects renaming(Rename rename, DirectoryTable known) {
        return ofNames(
                known,
                new EntryKey(rename.getOldParent(), rename.getOldName()),
                new EntryKey(rename.getNewParent(), rename.getNewName()));
    }

    /** The effects of changing names: on their directories, and on what they name. */
    private static Effects ofNames(DirectoryTable known, EntryKey... names) {
        Set<Long> inodes = new HashSet<>();
        boolean certain = true;
        for (EntryKey name : names) {
            inodes.add(name.directory());
            @Nullable CachedEntry entry = known.find(name.directory(), name.name());
            certain &= entry != null;
            if (entry != null && !entry.isAbsent()) {
                inodes.add(entry.inode());
            }
        }
        return new Effects(List.of(names), inodes, certain);
    }
}
