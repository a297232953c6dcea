package org.beefs.simulator.model;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/** One inode of the model. States share nodes; whoever changes one changes a copy (see {@link ModelState#edit}). */
final class ModelNode {
    int mode;
    int links;
    int uid;
    int gid;
    /** Of a directory: names and the nodes they name. */
    Map<ByteString, Long> entries = Map.of();
    /** Of a directory that is linked: its parent. */
    long parent;
    /** Content of a regular file, target of a symbolic link. */
    ByteString content = ByteString.EMPTY;

    /** Writes, the oldest first, of which it is not known that they were flushed, and what was there before them. */
    List<HeldWrite> held = List.of();

    ByteString beforeHeld = ByteString.EMPTY;

    Map<ByteString, ByteString> xattrs = Map.of();
    /** Opens, by the number of the operation that opened. */
    Set<Integer> handles = Set.of();
    /** Known only from when somebody sets it until something else changes it. */
    @Nullable
    Instant atime;

    @Nullable
    Instant mtime;

    /** Computed once: nodes are changed only before their states are compared. */
    private int hash;

    ModelNode(int mode, int uid, int gid) {
        this.mode = mode;
        this.uid = uid;
        this.gid = gid;
        this.links = FileMode.isDirectory(mode) ? 2 : 1;
    }

    ModelNode copy() {
        ModelNode copy = new ModelNode(mode, uid, gid);
        copy.links = links;
        copy.entries = entries;
        copy.parent = parent;
        copy.content = content;
        copy.held = held;
        copy.beforeHeld = beforeHeld;
        copy.xattrs = xattrs;
        copy.handles = handles;
        copy.atime = atime;
        copy.mtime = mtime;
        return copy;
    }

    /** It has neither name nor open. */
    boolean isAbandoned() {
        return links == 0 && handles.isEmpty();
    }

    boolean isDirectory() {
        return FileMode.isDirectory(mode);
    }

    boolean isRegular() {
        return FileMode.isRegular(mode);
    }

    boolean isSymbolicLink() {
        return FileMode.isSymbolicLink(mode);
    }

    void putEntry(ByteString name, long node) {
        Map<ByteString, Long> changed = new TreeMap<>(ByteString.unsignedLexicographicalComparator());
        changed.putAll(entries);
        changed.put(name, node);
        entries = changed;
        mtime = null;
    }

    void removeEntry(ByteString name) {
        Map<ByteString, Long> changed = new TreeMap<>(ByteString.unsignedLexicographicalComparator());
        changed.putAll(entries);
        changed.remove(name);
        entries = changed;
        mtime = null;
    }

    /** Writes that may be held back. */
    void hold(HeldWrite write) {
        if (held.isEmpty()) {
            beforeHeld = content;
        }
        List<HeldWrite> more = new ArrayList<>(held);
        more.add(write);
        held = more;
        content = Opening.written(content, write.offset(), write.data());
        mtime = null;
    }

    /** Nothing is held back any more. */
    void flush() {
        held = List.of();
        beforeHeld = ByteString.EMPTY;
    }

    /** Some of what may be held back is not here, and of some nobody can tell yet; the rest is here to stay. */
    void flush(Set<Integer> missing, Set<Integer> open) {
        List<HeldWrite> writes = held;
        content = beforeHeld;
        flush();
        for (HeldWrite write : writes) {
            if (!missing.contains(write.operation()) && !open.contains(write.operation())) {
                content = Opening.written(content, write.offset(), write.data());
            }
        }
        writes.stream().filter(write -> open.contains(write.operation())).forEach(this::hold);
    }

    void setXattr(ByteString name, @Nullable ByteString value) {
        Map<ByteString, ByteString> changed = new TreeMap<>(ByteString.unsignedLexicographicalComparator());
        changed.putAll(xattrs);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        xattrs = changed;
    }

    void setHandle(int handle, boolean open) {
        Set<Integer> changed = new TreeSet<>(handles);
        if (open) {
            changed.add(handle);
        } else {
            changed.remove(handle);
        }
        handles = changed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ModelNode that && hashCode() == that.hashCode() && hasSameFields(that));
    }

    private boolean hasSameFields(ModelNode that) {
        return mode == that.mode
                && links == that.links
                && uid == that.uid
                && gid == that.gid
                && parent == that.parent
                && entries.equals(that.entries)
                && content.equals(that.content)
                && held.equals(that.held)
                && xattrs.equals(that.xattrs)
                && handles.equals(that.handles)
                && Objects.equals(atime, that.atime)
                && Objects.equals(mtime, that.mtime);
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = Objects.hash(mode, links, uid, gid, parent, entries, content, held, xattrs, handles, atime, mtime);
        }
        return hash;
    }
}
