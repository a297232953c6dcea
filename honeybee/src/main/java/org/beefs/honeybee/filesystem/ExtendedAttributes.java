package org.beefs.honeybee.filesystem;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.SetXattr;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.queen.QueenProxy;

/**
 * Extended attributes, which are the queen-bee's. Before the kernel writes a backing file it asks whether the file has
 * capabilities that the write takes away, again whenever it has refreshed the attributes: that is answered here.
 */
final class ExtendedAttributes {
    private static final ByteString FILE_CAPABILITIES = ByteString.copyFromUtf8("security.capability");
    /** ls(1) asks for each file. */
    private static final ByteString ACCESS_CONTROL_LISTS = ByteString.copyFromUtf8("system.posix_acl_");

    private static final Credentials KERNEL = Credentials.getDefaultInstance();

    private final QueenProxy queen;
    private final HandleTable handles;

    ExtendedAttributes(QueenProxy queen, HandleTable handles) {
        this.queen = queen;
        this.handles = handles;
    }

    /** File capabilities that another mount has given to a file after it was opened here are seen when it is opened again. */
    CompletableFuture<ByteString> get(Credentials caller, long inode, ByteString name) {
        if (name.startsWith(ACCESS_CONTROL_LISTS)) {
            return Futures.failed(Errno.EOPNOTSUPP, "a hive has no access control lists");
        }
        return name.equals(FILE_CAPABILITIES) && handles.lacksFileCapabilities(inode)
                ? Futures.failed(Errno.ENODATA, "there are no file capabilities")
                : queen.getXattr(caller, inode, name);
    }

    CompletableFuture<Void> set(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        if (name.equals(FILE_CAPABILITIES)) {
            handles.observeFileCapabilities(inode);
        }
        SetXattr set = SetXattr.newBuilder()
                .setInode(inode)
                .setName(name)
                .setValue(value)
                .setCreate(create)
                .setReplace(replace)
                .build();
        return queen.setXattr(caller, set);
    }

    CompletableFuture<List<ByteString>> list(Credentials caller, long inode) {
        return queen.listXattrs(caller, inode);
    }

    /** The kernel lets only the privileged remove file capabilities, or does so itself because of anybody's write. */
    CompletableFuture<Void> remove(Credentials caller, long inode, ByteString name) {
        return queen.removeXattr(name.equals(FILE_CAPABILITIES) ? KERNEL : caller, inode, name);
    }
}
