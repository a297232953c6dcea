package org.beefs.honeybee.jnr;

import com.google.protobuf.ByteString;
import jnr.ffi.Pointer;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.RenameMode;
import org.beefs.honeybee.jnr.PathWalk.Place;
import org.jspecify.annotations.Nullable;

/** Operations on directory entries. libfuse asks for the attributes of what was made by itself. */
final class NameCallbacks {
    private final FileSystem fileSystem;
    private final PathWalk walk;
    private final HiddenFiles hidden;
    private final LibFuseRequest request;

    NameCallbacks(FileSystem fileSystem, PathWalk walk, HiddenFiles hidden, LibFuseRequest request) {
        this.fileSystem = fileSystem;
        this.walk = walk;
        this.hidden = hidden;
        this.request = request;
    }

    /** Reads a symbolic link. Its target is cut where the room ends, one byte of which is for the NUL. */
    int readlink(Call call, Pointer path, @Nullable Pointer buffer, long size) {
        if (buffer == null || size == 0) {
            return 0;
        }
        ByteString target = call.await(fileSystem.readSymbolicLink(call.credentials(), walk.inode(call, path)));
        int length = (int) Math.min(target.size(), size - 1);
        buffer.put(0, target.toByteArray(), 0, length);
        buffer.putByte(length, (byte) 0);
        return 0;
    }

    int mknod(Call call, Pointer path, int mode, long device) {
        Place place = walk.place(call, path);
        call.await(fileSystem.makeNode(
                call.credentials(), place.directory(), place.name(), mode, call.umask(), (int) device));
        return 0;
    }

    int mkdir(Call call, Pointer path, int mode) {
        Place place = walk.place(call, path);
        call.await(fileSystem.makeDirectory(call.credentials(), place.directory(), place.name(), mode, call.umask()));
        return 0;
    }

    int unlink(Call call, Pointer path) {
        if (hidden.forget(PathWalk.nameOf(PathWalk.bytes(path)))) {
            return 0;
        }
        Place place = walk.place(call, path);
        call.await(fileSystem.unlink(call.credentials(), place.directory(), place.name()));
        return 0;
    }

    int rmdir(Call call, Pointer path) {
        Place place = walk.place(call, path);
        call.await(fileSystem.removeDirectory(call.credentials(), place.directory(), place.name()));
        return 0;
    }

    int symlink(Call call, Pointer target, Pointer path) {
        Place place = walk.place(call, path);
        call.await(fileSystem.makeSymbolicLink(
                call.credentials(), place.directory(), place.name(), PathWalk.bytes(target)));
        return 0;
    }

    int rename(Call call, Pointer from, Pointer to) {
        ByteString newName = PathWalk.nameOf(PathWalk.bytes(to));
        return request.isHiding(newName) ? hide(call, from, newName) : move(call, from, to);
    }

    /**
     * libfuse is about to remove an open file's name, or to replace it. Here the name is removed; or stays until the
     * renaming that follows replaces it, so that nobody finds it absent.
     */
    private int hide(Call call, Pointer path, ByteString hiddenName) {
        long inode = walk.inode(call, path);
        if (!request.isReplacing()) {
            unlink(call, path);
        }
        hidden.hide(hiddenName, inode);
        return 0;
    }

    private int move(Call call, Pointer from, Pointer to) {
        Place source = walk.place(call, from);
        Place target = walk.place(call, to);
        call.await(fileSystem.rename(
                call.credentials(),
                source.directory(),
                source.name(),
                target.directory(),
                target.name(),
                RenameMode.REPLACE));
        return 0;
    }

    int link(Call call, Pointer from, Pointer to) {
        long inode = walk.inode(call, from);
        Place place = walk.place(call, to);
        call.await(fileSystem.link(call.credentials(), inode, place.directory(), place.name()));
        return 0;
    }
}
