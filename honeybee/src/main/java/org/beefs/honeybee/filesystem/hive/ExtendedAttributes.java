package org.beefs.honeybee.filesystem.hive;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.AccessRights;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileCapabilities;
import org.beefs.common.posix.XattrNames;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.SetXattr;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.filesystem.content.OpenInode;
import org.beefs.honeybee.queen.Metadata;
import org.beefs.honeybee.queen.QueenProxy;

/**
 * Extended attributes, which are the queen-bee's; access control lists come with the attributes, and are cached with
 * them, as is that there are no extended attributes at all: {@code ls -l} asks for one of each file. Before the kernel
 * writes a backing file it asks whether the file has capabilities that the write takes away, again whenever it has
 * refreshed the attributes: that is answered here.
 */
final class ExtendedAttributes {
    private static final Credentials KERNEL = Credentials.getDefaultInstance();

    /**
     * The answer for an attribute that a file lacks, made once: the kernel asks for capabilities and lists of each
     * file, and hardly any has one.
     */
    private static final CompletableFuture<ByteString> NO_ATTRIBUTE =
            Futures.failed(Errno.ENODATA, "there is no such attribute");

    private static final CompletableFuture<ByteString> NO_LIST =
            Futures.failed(Errno.ENODATA, "there is no access control list");

    private final QueenProxy queen;
    private final Metadata metadata;
    private final OpenHandles handles;

    ExtendedAttributes(QueenProxy queen, Metadata metadata, OpenHandles handles) {
        this.queen = queen;
        this.metadata = metadata;
        this.handles = handles;
    }

    /**
     * File capabilities that another mount has given to a file after it was opened here are seen when it is opened
     * again.
     */
    CompletableFuture<ByteString> get(Credentials caller, long inode, ByteString name) {
        if (AccessControlList.isName(name)) {
            return metadata.attributes(inode).thenCompose(node -> list(node, name));
        }
        boolean absent = (name.equals(FileCapabilities.XATTR) && lacksFileCapabilities(inode))
                || isKnownToBeAbsent(caller, inode, name);
        return absent ? NO_ATTRIBUTE : queen.getXattr(caller, inode, name);
    }

    /** Whether it is open, and had no file capabilities then, nor got any through this mount. */
    private boolean lacksFileCapabilities(long inode) {
        OpenInode open = handles.find(inode);
        return open != null && !open.mayHaveFileCapabilities();
    }

    /**
     * Whether the file certainly has no attribute of that name, and the caller may know that. What is wrong with a
     * name, or that he may not know, the queen-bee says.
     */
    private boolean isKnownToBeAbsent(Credentials caller, long inode, ByteString name) {
        Node node = XattrNames.mayBe(name) ? metadata.knownRights(inode) : null;
        return node != null
                && node.getWithoutXattrs()
                && (!name.startsWith(XattrNames.USER) || AccessRights.allow(node, caller, AccessRights.READ));
    }

    private static CompletableFuture<ByteString> list(Node node, ByteString name) {
        ByteString list = name.equals(AccessControlList.ACCESS) ? node.getAccessAcl() : node.getDefaultAcl();
        return list.isEmpty() ? NO_LIST : CompletableFuture.completedFuture(list);
    }

    CompletableFuture<Void> set(
            Credentials caller, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        OpenInode open = handles.find(inode);
        if (open != null && name.equals(FileCapabilities.XATTR)) {
            open.observeFileCapabilities();
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
        Node node = metadata.knownRights(inode);
        return node != null && node.getWithoutXattrs()
                ? CompletableFuture.completedFuture(List.of())
                : queen.listXattrs(caller, inode);
    }

    /** The kernel lets only the privileged remove file capabilities, or does so itself because of anybody's write. */
    CompletableFuture<Void> remove(Credentials caller, long inode, ByteString name) {
        return queen.removeXattr(name.equals(FileCapabilities.XATTR) ? KERNEL : caller, inode, name);
    }
}
