package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.state.LinkRecord;

/** Inodes as honeycombs keep them in their catalogs. */
public final class CatalogInodes {
    /** Bytes that a field takes besides its content, at most. */
    private static final int FIELD_BOUND = 16;

    /** Bytes of a name's record besides the name, at most: the numbers of its directory and place. */
    private static final int LINK_BOUND = 4 * FIELD_BOUND;

    private CatalogInodes() {}

    /** The inode with all its names, as it is now. */
    public static ByteString encode(Inode inode, List<Link> links) {
        byte[] record = InodeRecords.encode(inode);
        int names = 0;
        for (Link link : links) {
            names += LINK_BOUND + link.entry().name.length;
        }
        byte[] bytes = new byte[FIELD_BOUND + record.length + names];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            out.writeByteArray(CatalogInode.INODE_FIELD_NUMBER, record);
            for (Link link : links) {
                out.writeMessage(CatalogInode.LINKS_FIELD_NUMBER, toRecord(link));
            }
        } catch (IOException tooSmall) {
            throw new IllegalStateException("the bound for inode " + inode.number + " is wrong", tooSmall);
        }
        return UnsafeByteOperations.unsafeWrap(bytes, 0, out.getTotalBytesWritten());
    }

    /**
     * Whether a record that was put into a tree anew is as the living inode is, but for its names, and for what is
     * counted anew then.
     *
     * @param rebuilt takes that over from the living one
     */
    public static boolean isSame(Inode living, Inode rebuilt) {
        if (living.isDirectory() != rebuilt.isDirectory()) {
            return false;
        }
        rebuilt.links = living.links;
        if (living.isDirectory()) {
            rebuilt.directory().assumeNextCookie(living.directory().nextCookie());
        }
        return Arrays.equals(InodeRecords.encode(living), InodeRecords.encode(rebuilt));
    }

    private static LinkRecord toRecord(Link link) {
        return LinkRecord.newBuilder()
                .setParent(link.parent().number)
                .setName(link.entry().name())
                .setCookie(link.entry().cookie)
                .build();
    }
}
