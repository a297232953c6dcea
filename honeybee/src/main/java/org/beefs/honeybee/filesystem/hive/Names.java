package org.beefs.honeybee.filesystem.hive;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.MakeNode;
import org.beefs.common.wire.MakeSymbolicLink;
import org.beefs.common.wire.Rename;
import org.beefs.honeybee.filesystem.FileSystem.RenameMode;
import org.beefs.honeybee.queen.Metadata;
import org.beefs.honeybee.queen.QueenProxy;

/** Finds, makes, moves and removes names. */
final class Names {
    private final QueenProxy queen;
    private final Metadata metadata;
    private final CurrentAttributes current;

    Names(QueenProxy queen, Metadata metadata, CurrentAttributes current) {
        this.queen = queen;
        this.metadata = metadata;
        this.current = current;
    }

    CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return metadata.lookup(caller, directory, name).thenCompose(current::of);
    }

    CompletableFuture<Attributes> lookupEntry(Credentials caller, long directory, ByteString name) {
        return metadata.lookup(caller, directory, name).thenCompose(current::found);
    }

    CompletableFuture<Attributes> makeNode(
            Credentials caller, long directory, ByteString name, int mode, int umask, int device) {
        MakeNode make = MakeNode.newBuilder()
                .setParent(directory)
                .setName(name)
                .setMode(mode)
                .setUmask(umask)
                .setDevice(device)
                .build();
        return queen.makeNode(caller, make).thenCompose(current::of);
    }

    CompletableFuture<Attributes> makeDirectory(
            Credentials caller, long directory, ByteString name, int mode, int umask) {
        MakeDirectory make = MakeDirectory.newBuilder()
                .setParent(directory)
                .setName(name)
                .setMode(mode)
                .setUmask(umask)
                .build();
        return queen.makeDirectory(caller, make).thenCompose(current::of);
    }

    CompletableFuture<Attributes> makeSymbolicLink(
            Credentials caller, long directory, ByteString name, ByteString target) {
        MakeSymbolicLink make = MakeSymbolicLink.newBuilder()
                .setParent(directory)
                .setName(name)
                .setTarget(target)
                .build();
        return queen.makeSymbolicLink(caller, make).thenCompose(current::of);
    }

    CompletableFuture<Attributes> link(Credentials caller, long inode, long directory, ByteString name) {
        Link link = Link.newBuilder()
                .setInode(inode)
                .setParent(directory)
                .setName(name)
                .build();
        return queen.link(caller, link).thenCompose(current::changed);
    }

    CompletableFuture<Void> rename(
            Credentials caller,
            long oldDirectory,
            ByteString oldName,
            long newDirectory,
            ByteString newName,
            RenameMode mode) {
        Rename rename = Rename.newBuilder()
                .setOldParent(oldDirectory)
                .setOldName(oldName)
                .setNewParent(newDirectory)
                .setNewName(newName)
                .setNoReplace(mode == RenameMode.NO_REPLACE)
                .setExchange(mode == RenameMode.EXCHANGE)
                .build();
        return queen.rename(caller, rename);
    }
}
