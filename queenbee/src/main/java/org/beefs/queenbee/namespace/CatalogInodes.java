package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.state.LinkRecord;

/** Inodes as honeycombs keep them in their catalogs. */
public final class CatalogInodes {
    private CatalogInodes() {}

    /** The inode with all its names, as it is now. */
    public static ByteString encode(Inode inode, List<Link> links) {
        CatalogInode.Builder content = CatalogInode.newBuilder().setInode(InodeRecords.encode(inode));
        for (Link link : links) {
            content.addLinks(LinkRecord.newBuilder()
                    .setParent(link.parent().number)
                    .setName(link.entry().name())
                    .setCookie(link.entry().cookie));
        }
        return content.build().toByteString();
    }
}
