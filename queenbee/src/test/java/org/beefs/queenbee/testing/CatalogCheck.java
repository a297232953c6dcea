package org.beefs.queenbee.testing;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.common.wire.Record;
import org.beefs.queenbee.namespace.CatalogInodes;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.state.LinkRecord;

/** Compares catalogs with the namespace that they are of. */
public final class CatalogCheck {
    private CatalogCheck() {}

    /**
     * What is wrong, one line each.
     *
     * @param catalogs the records of each honeycomb, by its number
     */
    public static List<String> differences(QueenState state, Map<Integer, List<Record>> catalogs) {
        List<String> wrong = new ArrayList<>();
        Set<Long> found = new HashSet<>();
        catalogs.forEach((honeycomb, records) -> {
            for (Record record : records) {
                Inode inode = state.namespace().find(record.getInode());
                if (record.getInode() != 0 && (inode == null || record.getRemoved())) {
                    wrong.add("honeycomb %d has a record of inode %d, which is gone (removed: %b)"
                            .formatted(honeycomb, record.getInode(), record.getRemoved()));
                } else if (inode != null) {
                    found.add(inode.number());
                    compare(honeycomb, state, inode, record, wrong);
                }
            }
        });
        state.namespace().forEach(inode -> {
            if (!found.contains(inode.number())) {
                wrong.add("no honeycomb has a record of inode " + inode.number());
            }
        });
        return wrong;
    }

    private static void compare(int honeycomb, QueenState state, Inode inode, Record record, List<String> wrong) {
        CatalogInode is = parse(record);
        CatalogInode expected = parse(record.toBuilder()
                .setContent(CatalogInodes.encode(inode, state.namespace().links(inode)))
                .build());
        if (!expected.getInode().equals(is.getInode()) || !names(expected).equals(names(is))) {
            wrong.add("honeycomb %d has an old record of inode %d: %s instead of %s"
                    .formatted(honeycomb, inode.number(), is, expected));
        }
        boolean hasReplica =
                inode.honeycomb() == honeycomb || inode.secondaries().has(honeycomb);
        if (inode.isRegular() && !hasReplica) {
            wrong.add("honeycomb %d has a record of file %d, which is elsewhere".formatted(honeycomb, inode.number()));
        }
    }

    private static Set<String> names(CatalogInode inode) {
        Set<String> names = new TreeSet<>();
        for (LinkRecord link : inode.getLinksList()) {
            names.add("%d %s %d".formatted(link.getParent(), link.getName().toStringUtf8(), link.getCookie()));
        }
        return names;
    }

    private static CatalogInode parse(Record record) {
        try {
            return CatalogInode.parseFrom(record.getContent());
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }
}
