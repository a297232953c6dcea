package org.beefs.honeybee.fuse.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.RenameMode;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.protocol.Arguments;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;

/** Operations on directory entries. The request's node is the directory, except for readlink. */
final class NameOperations {
    private final FileSystem fileSystem;
    private final KernelState kernel;
    private final OpenDirectories directories;

    NameOperations(FileSystem fileSystem, KernelState kernel, OpenDirectories directories) {
        this.fileSystem = fileSystem;
        this.kernel = kernel;
        this.directories = directories;
    }

    void lookup(Exchange exchange, Body body) {
        ByteString name = body.name(0);
        directories.lookedUp(exchange.inode());
        exchange.answer(
                fileSystem.lookupEntry(exchange.caller(), exchange.inode(), name),
                kernel.found(exchange.inode(), name));
    }

    void readlink(Exchange exchange) {
        exchange.answer(fileSystem.readSymbolicLink(exchange.caller(), exchange.inode()), Reply::bytes);
    }

    void symlink(Exchange exchange, Body body) {
        ByteString name = body.name(0);
        ByteString target = body.string(name.size() + 1L);
        exchange.answer(
                fileSystem.makeSymbolicLink(exchange.caller(), exchange.inode(), name, target),
                kernel.made(exchange.inode(), name));
    }

    void mknod(Exchange exchange, Body body) {
        Arguments.Mknod arguments = Arguments.Mknod.of(body);
        ByteString name = body.name(Arguments.Mknod.BYTES);
        exchange.answer(
                fileSystem.makeNode(
                        exchange.caller(),
                        exchange.inode(),
                        name,
                        arguments.mode(),
                        arguments.umask(),
                        arguments.device()),
                kernel.made(exchange.inode(), name));
    }

    void mkdir(Exchange exchange, Body body) {
        Arguments.Mkdir arguments = Arguments.Mkdir.of(body);
        ByteString name = body.name(Arguments.Mkdir.BYTES);
        exchange.answer(
                fileSystem.makeDirectory(
                        exchange.caller(), exchange.inode(), name, arguments.mode(), arguments.umask()),
                kernel.made(exchange.inode(), name));
    }

    void unlink(Exchange exchange, Body body) {
        exchange.answer(fileSystem.unlink(exchange.caller(), exchange.inode(), body.name(0)), kernel.changed());
    }

    void rmdir(Exchange exchange, Body body) {
        exchange.answer(
                fileSystem.removeDirectory(exchange.caller(), exchange.inode(), body.name(0)), kernel.changed());
    }

    void rename(Exchange exchange, Body body) {
        rename(exchange, body, 8, RenameMode.REPLACE);
    }

    void renameWithFlags(Exchange exchange, Body body) {
        switch (body.int32(8)) {
            case 0 -> rename(exchange, body, 16, RenameMode.REPLACE);
            case Protocol.RENAME_NOREPLACE -> rename(exchange, body, 16, RenameMode.NO_REPLACE);
            case Protocol.RENAME_EXCHANGE -> rename(exchange, body, 16, RenameMode.EXCHANGE);
            default -> exchange.fail(Errno.EINVAL);
        }
    }

    void link(Exchange exchange, Body body) {
        ByteString name = body.name(8);
        exchange.answer(
                fileSystem.link(exchange.caller(), HiveRoot.inode(body.int64(0)), exchange.inode(), name),
                kernel.linked(exchange.inode(), name));
    }

    private void rename(Exchange exchange, Body body, int names, RenameMode mode) {
        ByteString oldName = body.name(names);
        ByteString newName = body.name(names + oldName.size() + 1L);
        exchange.answer(
                fileSystem.rename(
                        exchange.caller(), exchange.inode(), oldName, HiveRoot.inode(body.int64(0)), newName, mode),
                kernel.changed());
    }
}
