package org.beefs.honeybee.jnr;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import jnr.ffi.Pointer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Finds the inodes of libfuse's paths, by the file system's own lookups, which answer from its caches. The kernel has
 * checked the right to search the directories on the way that the caller did walk through; others on the path must not
 * count, since a program may stand below a directory that it cannot enter. So directories are looked up in the name of
 * root. Thread-safe.
 */
final class PathWalk {
    private static final Credentials ROOT = Credentials.getDefaultInstance();
    private static final byte SLASH = '/';

    private final FileSystem fileSystem;
    private final NameRules rules;
    private final HiddenFiles hidden;
    private final LibFuseRequest request;

    /** An entry that exists or is to be made: its directory and its name. */
    record Place(long directory, ByteString name) {}

    PathWalk(FileSystem fileSystem, NameRules rules, HiddenFiles hidden, LibFuseRequest request) {
        this.fileSystem = fileSystem;
        this.rules = rules;
        this.hidden = hidden;
        this.request = request;
    }

    /** What is at a path. */
    Attributes find(Call call, Pointer path) {
        ByteString whole = bytes(path);
        Long known = known(whole);
        return known == null ? target(call, whole) : call.await(fileSystem.getAttributes(known));
    }

    /** The inode at a path. */
    long inode(Call call, Pointer path) {
        ByteString whole = bytes(path);
        Long known = known(whole);
        return known == null ? target(call, whole).getInode() : known;
    }

    /** The entry that a path names, whether it exists or not. Its directory has to exist. */
    Place place(Call call, Pointer path) {
        return place(call, bytes(path));
    }

    /** Bytes up to the first NUL. */
    static ByteString bytes(Pointer text) {
        byte[] bytes = new byte[text.indexOf(0, (byte) 0)];
        text.get(0, bytes, 0, bytes.length);
        return ByteString.copyFrom(bytes);
    }

    /** The last name of a path. */
    static ByteString nameOf(ByteString path) {
        int start = path.size();
        while (start > 0 && path.byteAt(start - 1) != SLASH) {
            start--;
        }
        return path.substring(start);
    }

    /** The inode of the root, or of an open file without a name. */
    private @Nullable Long known(ByteString path) {
        return path.size() <= 1 ? (Long) FileSystem.ROOT : hidden.find(nameOf(path));
    }

    /**
     * The attributes of the entry at a path. What the kernel knows by name and has gone since through another mount is
     * stale: hearing so it looks the name up again, and perhaps makes it.
     */
    private Attributes target(Call call, ByteString path) {
        try {
            return lookup(call, place(call, path));
        } catch (PosixException failure) {
            boolean stale = failure.errno() == Errno.ENOENT && request.isOfKnownName();
            throw stale ? new PosixException(Errno.ESTALE, failure.getMessage()) : failure;
        }
    }

    private Place place(Call call, ByteString path) {
        long directory = FileSystem.ROOT;
        int start = 1;
        for (int end = 1; end < path.size(); end++) {
            if (path.byteAt(end) == SLASH) {
                Place step = new Place(directory, name(path.substring(start, end)));
                directory = lookup(call, step).getInode();
                start = end + 1;
            }
        }
        if (start >= path.size()) {
            throw new PosixException(Errno.EINVAL, "the path names no entry");
        }
        return new Place(directory, name(path.substring(start)));
    }

    private ByteString name(ByteString shown) {
        ByteString name = rules.toHive(shown);
        if (name.size() > FileName.LONGEST) {
            throw new PosixException(Errno.ENAMETOOLONG, "a name has at most " + FileName.LONGEST + " bytes");
        }
        return name;
    }

    private Attributes lookup(Call call, Place place) {
        CompletableFuture<Attributes> found = fileSystem.lookup(ROOT, place.directory(), place.name());
        return call.await(found);
    }
}
