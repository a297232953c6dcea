package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.state.LinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * Puts a namespace together from records of inodes that were not all taken at the same moment: each knows its names,
 * nobody knows what a directory holds. Of two inodes with one name that with the later record gets it. What is left
 * without any name, because it lost it, because its directory is missing, or because directories claim to be in one
 * another, is named by {@link LostAndFound}. Not thread-safe.
 */
public final class NamespaceBuilder {
    /** A name that an inode claims. */
    private record Claim(Inode inode, long parent, Dentry entry, long sequence) {}

    private final KnownReplicas known;
    private final Namespace namespace = new Namespace();
    private final List<Inode> inodes = new ArrayList<>();
    private final Map<Long, List<Claim>> claims = new HashMap<>();

    /** Names that were refused to inodes which may have none in the end, by inode. */
    private final Map<Long, Claim> refused = new HashMap<>();

    private final List<String> conflicts = new ArrayList<>();

    /**
     * @param honeycombs how many the hive has, which are numbered from 1
     * @param forBlanks number of one in which files have their place that have no content anywhere; 0 if there is none
     */
    public NamespaceBuilder(int honeycombs, int forBlanks) {
        known = new KnownReplicas(honeycombs, forBlanks);
    }

    /** How many of a file's replicas are in honeycombs that the hive has. */
    public enum Known {
        ALL,
        /** The others are left out. */
        SOME,
        /** None that could be read: the file is left out. */
        NONE
    }

    /**
     * An inode as it was last.
     *
     * @param hasName whether it is in the tree; a file without a name went with whoever had it open
     * @param replicas of those that have a name
     * @param name one of its names; empty if it has none
     */
    public record Added(Inode inode, boolean hasName, Known replicas, String name) {}

    /** Adds an inode as it was last, if it has a name and may be read; each comes once. */
    public Added add(long number, long sequence, ByteString content) throws IOException {
        CodedInputStream in = content.newCodedInput();
        Inode inode = new Inode(number);
        List<LinkRecord> links = new ArrayList<>(1);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case CatalogInode.INODE_FIELD_NUMBER ->
                    inode = InodeRecords.decode(number, in.readBytes().newCodedInput());
                case CatalogInode.LINKS_FIELD_NUMBER ->
                    links.add(in.readMessage(LinkRecord.parser(), ExtensionRegistryLite.getEmptyRegistry()));
                default -> in.skipField(tag);
            }
        }
        if (links.isEmpty() && number != Namespace.ROOT) {
            return new Added(inode, false, Known.ALL, "");
        }
        String name = links.isEmpty() ? "" : links.getFirst().getName().toStringUtf8();
        Known replicas = known.keepIn(inode);
        if (replicas == Known.NONE) {
            return new Added(inode, false, replicas, name);
        }
        inodes.add(inode);
        for (LinkRecord link : links) {
            Dentry entry = new Dentry(link.getName().toByteArray(), link.getCookie(), inode);
            claims.computeIfAbsent(link.getParent(), _ -> new ArrayList<>())
                    .add(new Claim(inode, link.getParent(), entry, sequence));
        }
        return new Added(inode, true, replicas, name);
    }

    /** Names that two inodes had, a sentence for each. */
    public List<String> conflicts() {
        return conflicts;
    }

    /**
     * All records are there.
     *
     * @param lostAndFound takes what has no name; its own directory is made when it is needed
     */
    public Namespace finish(LostAndFound lostAndFound) {
        namespace.insertAll(inodes);
        if (namespace.find(Namespace.ROOT) == null) {
            namespace.insert(lostAndFound.root());
        }
        claims.forEach(this::fill);
        claims.clear();
        breakCycles();
        for (Inode inode : inodes) {
            if (inode.entry == null && inode.number != Namespace.ROOT) {
                lostAndFound.take(namespace, inode, lastPath(inode));
            }
        }
        countLinks();
        return namespace;
    }

    /** What an inode without a name was called last, as far as known. */
    private String lastPath(Inode inode) {
        Claim claim = refused.get(inode.number);
        if (claim == null) {
            return "";
        }
        Inode parent = namespace.find(claim.parent);
        String directory = parent == null ? "directory %x missing".formatted(claim.parent) : parent.path();
        return directory + "/" + claim.entry.name().toStringUtf8();
    }

    private void fill(long parent, List<Claim> claimed) {
        Inode directory = namespace.find(parent);
        if (directory == null || !directory.isDirectory()) {
            claimed.forEach(claim -> refused.put(claim.inode.number, claim));
            return;
        }
        List<Claim> granted = grant(claimed);
        granted.sort(Comparator.comparingLong(claim -> claim.entry.cookie));
        List<Dentry> entries = new ArrayList<>(granted.size());
        List<Dentry> displaced = new ArrayList<>();
        long last = 0;
        for (Claim claim : granted) {
            boolean free = claim.entry.cookie > last;
            (free ? entries : displaced).add(claim.entry);
            last = claim.entry.cookie;
        }
        // Records of two moments may know the same place in the directory: one of the names goes to the end.
        long next = Math.max(directory.directory().nextCookie(), last + 1);
        for (Dentry entry : displaced) {
            entries.add(new Dentry(entry.name, next++, entry.inode));
        }
        directory.directory().addAll(entries);
        entries.forEach(entry -> namespace.link(directory, entry));
    }

    private List<Claim> grant(List<Claim> claimed) {
        // Sorted: users may have chosen names that all have one hash code.
        Map<ByteString, Claim> byName = new TreeMap<>(ByteString.unsignedLexicographicalComparator());
        for (Claim claim : claimed) {
            Claim other = byName.putIfAbsent(claim.entry.name(), claim);
            if (other != null) {
                boolean later = claim.sequence > other.sequence;
                Claim loser = later ? other : claim;
                Claim winner = later ? claim : other;
                byName.put(claim.entry.name(), winner);
                refused.put(loser.inode.number, loser);
                conflicts.add(
                        "inodes %x and %x were both called \"%s\" in directory %x: the first, which is later, keeps the name"
                                .formatted(
                                        winner.inode.number,
                                        loser.inode.number,
                                        claim.entry.name().toStringUtf8(),
                                        claim.parent));
            }
        }
        return new ArrayList<>(byName.values());
    }

    /** Directories that cannot be reached, though each has a name, are in one another, or below some that are. */
    private void breakCycles() {
        Set<Long> reached = new HashSet<>();
        for (Inode inode : inodes) {
            if (inode.isDirectory() && inode.entry == null) {
                reach(inode, reached);
            }
        }
        reach(root(), reached);
        for (Inode inode : inodes) {
            if (inode.isDirectory() && !reached.contains(inode.number)) {
                Link cycle = onCycle(inode);
                takeOut(cycle);
                reach(cycle.entry().inode, reached);
            }
        }
    }

    /** The first name on the way up that comes again. */
    private static Link onCycle(Inode directory) {
        Set<Long> passed = new HashSet<>();
        Inode at = directory;
        while (passed.add(at.number)) {
            at = nameOf(at).parent();
        }
        return nameOf(at);
    }

    private static Link nameOf(Inode unreached) {
        return new Link(Objects.requireNonNull(unreached.parent), Objects.requireNonNull(unreached.entry));
    }

    private void takeOut(Link link) {
        Dentry entry = link.entry();
        Inode inode = entry.inode;
        refused.put(inode.number, new Claim(inode, link.parent().number, entry, 0));
        link.parent().directory().remove(entry);
        namespace.links().remove(inode, entry);
        conflicts.add("directory %x (\"%s\") was inside itself"
                .formatted(inode.number, entry.name().toStringUtf8()));
    }

    private Inode root() {
        @Nullable Inode root = namespace.find(Namespace.ROOT);
        if (root == null) {
            throw new IllegalStateException("the root directory is missing");
        }
        return root;
    }

    private static void reach(Inode top, Set<Long> reached) {
        Deque<Inode> below = new ArrayDeque<>(List.of(top));
        while (!below.isEmpty()) {
            Inode directory = below.pop();
            if (reached.add(directory.number)) {
                directory.directory().visit(0, entry -> {
                    if (entry.inode.isDirectory()) {
                        below.push(entry.inode);
                    }
                    return true;
                });
            }
        }
    }

    /** Records say how many names there were; what counts is how many there are. */
    private void countLinks() {
        namespace.forEach(inode -> inode.links =
                inode.isDirectory() ? 2 : namespace.links().of(inode).size());
        namespace.forEach(inode -> {
            if (inode.isDirectory() && inode.number != Namespace.ROOT) {
                inode.directory().parent.links++;
            }
        });
    }
}
