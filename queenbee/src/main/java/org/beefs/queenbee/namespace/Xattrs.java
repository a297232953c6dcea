package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The extended attributes of one inode; an inode without any has none of these. */
public final class Xattrs {
    /** Bytes of names and values that one inode may have. */
    public static final int MAX_TOTAL = 1 << 20;

    /** Sorted, because users choose the names: of those with one hash code a hash table would compare each with all. */
    private final Map<ByteString, ByteString> values = new TreeMap<>(ByteString.unsignedLexicographicalComparator());

    private int total;

    public @Nullable ByteString get(ByteString name) {
        return values.get(name);
    }

    /** In the order of their bytes. */
    public Set<ByteString> names() {
        return values.keySet();
    }

    /** Bytes of all names and values. */
    public int total() {
        return total;
    }

    void put(ByteString name, ByteString value) {
        remove(name);
        values.put(name, value);
        total += name.size() + value.size();
    }

    void remove(ByteString name) {
        ByteString old = values.remove(name);
        if (old != null) {
            total -= name.size() + old.size();
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }
}
