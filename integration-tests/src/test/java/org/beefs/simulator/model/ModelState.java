package org.beefs.simulator.model;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * A whole file system at one moment. Nodes have numbers of the model's own, the number of the operation that made them;
 * which inode number the real file system gave each is learned from its answers, and from then on must never differ.
 */
public final class ModelState {
    /** The root's inode number, in the model as in the file system. */
    public static final long ROOT = 1;

    private final Map<Long, ModelNode> nodes;
    private final Map<Long, Long> nodeOfInode;
    private final Map<Long, Long> inodeOfNode;
    /** Opens that have ended, and of which those that are still to come count as ended. */
    private final Set<Integer> endedOpens;
    /** Opens that the file system may have forgotten. */
    private final Set<Integer> doubtfulOpens;

    private ModelState(
            Map<Long, ModelNode> nodes,
            Map<Long, Long> nodeOfInode,
            Map<Long, Long> inodeOfNode,
            Set<Integer> endedOpens,
            Set<Integer> doubtfulOpens) {
        this.nodes = nodes;
        this.nodeOfInode = nodeOfInode;
        this.inodeOfNode = inodeOfNode;
        this.endedOpens = endedOpens;
        this.doubtfulOpens = doubtfulOpens;
    }

    /** An empty file system whose root belongs to uid 0. */
    public static ModelState empty(int rootPermissions) {
        ModelState state =
                new ModelState(new TreeMap<>(), new HashMap<>(), new HashMap<>(), new HashSet<>(), new HashSet<>());
        ModelNode root = new ModelNode(FileMode.DIRECTORY | rootPermissions, 0, 0);
        root.parent = ROOT;
        state.nodes.put(ROOT, root);
        state.bind(ROOT, ROOT);
        return state;
    }

    public ModelState copy() {
        return new ModelState(
                new TreeMap<>(nodes),
                new HashMap<>(nodeOfInode),
                new HashMap<>(inodeOfNode),
                new HashSet<>(endedOpens),
                new HashSet<>(doubtfulOpens));
    }

    /** The node that an inode number stands for; null when it is gone. */
    @Nullable
    ModelNode ofInode(long inode) {
        Long node = nodeOfInode.get(inode);
        return node == null ? null : nodes.get(node);
    }

    long nodeNumber(long inode) {
        Long node = nodeOfInode.get(inode);
        if (node == null) {
            throw new IllegalStateException("no answer ever named inode " + inode);
        }
        return node;
    }

    @Nullable
    ModelNode node(long number) {
        return nodes.get(number);
    }

    ModelNode existing(long number) {
        ModelNode node = nodes.get(number);
        if (node == null) {
            throw new IllegalStateException("node " + number + " is gone but named");
        }
        return node;
    }

    /** A node to change. */
    ModelNode edit(long number) {
        ModelNode copy = existing(number).copy();
        nodes.put(number, copy);
        return copy;
    }

    void add(long number, ModelNode node) {
        nodes.put(number, node);
    }

    /**
     * Removes all regular files that have neither name nor open. Who still works in a removed directory may be answered
     * for as long as the file system likes.
     */
    void forgetUnlinked() {
        nodes.values().removeIf(node -> node.isAbandoned() && node.isRegular());
    }

    /** Learns a node's inode number; false when it contradicts what is known. */
    boolean bind(long node, long inode) {
        Long knownInode = inodeOfNode.putIfAbsent(node, inode);
        Long knownNode = nodeOfInode.putIfAbsent(inode, node);
        return (knownInode == null || knownInode == inode) && (knownNode == null || knownNode == node);
    }

    /** Opens by these operations may have been forgotten, so that they do not keep an unlinked file for certain. */
    public void doubtOpens(Collection<Integer> operations) {
        doubtfulOpens.addAll(operations);
    }

    /** It has neither name nor an open that keeps it for certain, so that the file system may remove it at any time. */
    boolean mayBeGone(ModelNode node) {
        return node.links == 0 && doubtfulOpens.containsAll(node.handles);
    }

    /** Opens by these operations have ended, also if the operations are still under way. */
    public void endOpens(Collection<Integer> operations) {
        endedOpens.addAll(operations);
        for (Long number : List.copyOf(nodes.keySet())) {
            ModelNode node = existing(number);
            if (node.handles.stream().anyMatch(operations::contains)) {
                ModelNode changed = edit(number);
                operations.forEach(operation -> changed.setHandle(operation, false));
            }
        }
    }

    /** One open ends. */
    public void close(long inode, int handle) {
        long number = nodeNumber(inode);
        if (nodes.containsKey(number)) {
            edit(number).setHandle(handle, false);
        }
    }

    /** Notes that an operation has a node open. */
    void open(ModelNode changed, int operation) {
        if (!endedOpens.contains(operation)) {
            changed.setHandle(operation, true);
        }
    }

    /** All that may be held back. */
    List<HeldWrite> held() {
        return nodes.values().stream().flatMap(node -> node.held.stream()).toList();
    }

    /** Some of what may be held back is missing, and of some nobody can tell yet; the rest is here to stay. */
    void flush(Set<Integer> missing, Set<Integer> open) {
        for (Long number : List.copyOf(nodes.keySet())) {
            if (!existing(number).held.isEmpty()) {
                edit(number).flush(missing, open);
            }
        }
    }

    /** Somebody has looked at a file, or waited for it: what was held back of it is there. */
    void flushed(long number) {
        if (!existing(number).held.isEmpty()) {
            edit(number).flush();
        }
    }

    /** How many inodes there are, unlinked but open ones included. */
    public int size() {
        return (int) nodes.values().stream().filter(node -> !node.isAbandoned()).count();
    }

    /** Inode numbers, as far as known, of what has no name and is open. */
    public List<Long> openWithoutName() {
        return nodes.entrySet().stream()
                .filter(entry ->
                        entry.getValue().links == 0 && !entry.getValue().isAbandoned())
                .map(entry -> inodeOfNode.getOrDefault(entry.getKey(), -entry.getKey()))
                .toList();
    }

    /** Inode numbers, as far as known, of linked nodes of a type. */
    public List<Long> inodes(int type) {
        List<Long> found = new ArrayList<>();
        nodes.forEach((number, node) -> {
            Long inode = inodeOfNode.get(number);
            if (inode != null && node.links > 0 && (node.mode & FileMode.TYPE_MASK) == type) {
                found.add(inode);
            }
        });
        return found;
    }

    /** Names in a directory. */
    public List<ByteString> names(long inode) {
        ModelNode node = ofInode(inode);
        return node == null ? List.of() : List.copyOf(node.entries.keySet());
    }

    /** The inode of a name in a directory; null when there is none, or its number is not known. */
    public @Nullable Long child(long inode, ByteString name) {
        ModelNode node = ofInode(inode);
        Long child = node == null ? null : node.entries.get(name);
        return child == null ? null : inodeOfNode.get(child);
    }

    /** Directories in a directory. */
    public List<Long> subdirectories(long inode) {
        ModelNode node = ofInode(inode);
        return node == null
                ? List.of()
                : node.entries.values().stream()
                        .filter(entry -> existing(entry).isDirectory())
                        .map(this::inodeOf)
                        .toList();
    }

    /** Content of a regular file; null when there is none of that inode number. */
    public @Nullable ByteString content(long inode) {
        ModelNode node = ofInode(inode);
        return node == null || !node.isRegular() ? null : node.content;
    }

    /** A file's content is another one for reasons of its own. */
    public void setContent(long inode, ByteString content) {
        long number = nodeNumber(inode);
        if (nodes.containsKey(number)) {
            ModelNode changed = edit(number);
            changed.flush();
            changed.content = content;
            changed.mtime = null;
        }
    }

    /** Names of an inode's extended attributes; none when it is gone. */
    public Set<ByteString> xattrs(long inode) {
        ModelNode node = ofInode(inode);
        return node == null ? Set.of() : node.xattrs.keySet();
    }

    /** A file or directory is there for reasons of its own. Its node has a number of which no operation is. */
    public void appear(Appeared one, ByteString content) {
        Sight sight = one.sight();
        long parent = nodeNumber(one.directory());
        if (!nodes.containsKey(parent)) {
            return;
        }
        long number = -sight.inode();
        ModelNode node = new ModelNode(sight.mode(), sight.uid(), sight.gid());
        node.content = content;
        ModelNode changed = edit(parent);
        if (node.isDirectory()) {
            node.parent = parent;
            changed.links++;
        }
        changed.putEntry(one.name(), number);
        add(number, node);
        bind(number, sight.inode());
    }

    /** What can be seen of the namespace, by path; an empty path for the root. */
    public Map<String, Sight> sights() {
        Map<String, Sight> sights = new TreeMap<>();
        addSights("", ROOT, sights);
        return sights;
    }

    private void addSights(String path, long number, Map<String, Sight> sights) {
        ModelNode node = existing(number);
        ByteString target = node.isSymbolicLink() ? node.content : ByteString.EMPTY;
        sights.put(path, new Sight(inodeOf(number), node.mode, node.links, node.uid, node.gid, target, node.xattrs));
        node.entries.forEach((name, entry) -> addSights(path + "/" + name.toStringUtf8(), entry, sights));
    }

    private long inodeOf(long number) {
        Long inode = inodeOfNode.get(number);
        if (inode == null) {
            throw new IllegalStateException("no answer ever named node " + number);
        }
        return inode;
    }

    /** Whether a directory is, or is below, another one. */
    boolean isWithin(long directory, long ancestor) {
        long at = directory;
        while (at != ancestor) {
            ModelNode node = nodes.get(at);
            if (at == ROOT || node == null || node.parent == 0) {
                return false;
            }
            at = node.parent;
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ModelState that
                && nodes.equals(that.nodes)
                && nodeOfInode.equals(that.nodeOfInode)
                && endedOpens.equals(that.endedOpens)
                && doubtfulOpens.equals(that.doubtfulOpens);
    }

    @Override
    public int hashCode() {
        return nodes.hashCode() * 31 + nodeOfInode.hashCode();
    }
}
