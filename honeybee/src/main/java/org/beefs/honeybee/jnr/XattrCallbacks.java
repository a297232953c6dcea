package org.beefs.honeybee.jnr;

import com.google.protobuf.ByteString;
import jnr.ffi.Pointer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeybee.filesystem.FileSystem;
import org.jspecify.annotations.Nullable;

/** Extended attributes. A caller that offers no room for the answer asks how long it is. */
final class XattrCallbacks {
    private static final ByteString NUL = ByteString.copyFrom(new byte[1]);

    private static final int CREATE = 1;
    private static final int REPLACE = 2;

    private final FileSystem fileSystem;
    private final PathWalk walk;

    XattrCallbacks(FileSystem fileSystem, PathWalk walk) {
        this.fileSystem = fileSystem;
        this.walk = walk;
    }

    int get(Call call, Pointer path, Pointer name, @Nullable Pointer buffer, long size) {
        long inode = walk.inode(call, path);
        return give(call.await(fileSystem.getXattr(call.credentials(), inode, PathWalk.bytes(name))), buffer, size);
    }

    int set(Call call, Pointer path, Pointer name, @Nullable Pointer value, long size, int flags) {
        byte[] bytes = new byte[(int) size];
        if (value != null) {
            value.get(0, bytes, 0, bytes.length);
        }
        call.await(fileSystem.setXattr(
                call.credentials(),
                walk.inode(call, path),
                PathWalk.bytes(name),
                ByteString.copyFrom(bytes),
                (flags & CREATE) != 0,
                (flags & REPLACE) != 0));
        return 0;
    }

    int list(Call call, Pointer path, @Nullable Pointer buffer, long size) {
        ByteString all = ByteString.EMPTY;
        for (ByteString name : call.await(fileSystem.listXattrs(call.credentials(), walk.inode(call, path)))) {
            all = all.concat(name).concat(NUL);
        }
        return give(all, buffer, size);
    }

    int remove(Call call, Pointer path, Pointer name) {
        long inode = walk.inode(call, path);
        call.await(fileSystem.removeXattr(call.credentials(), inode, PathWalk.bytes(name)));
        return 0;
    }

    private static int give(ByteString value, @Nullable Pointer buffer, long size) {
        if (buffer != null && size > 0) {
            if (value.size() > size) {
                throw new PosixException(Errno.ERANGE, "the value is longer than the room for it");
            }
            buffer.put(0, value.toByteArray(), 0, value.size());
        }
        return value.size();
    }
}
