package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A name as a key of maps. It has an order, because users choose names: among those that have one hash code a map finds
 * by their order in logarithmic time, and without one would compare with all.
 */
record NameKey(ByteString bytes) implements Comparable<NameKey> {
    // The methods that a record gets by itself go through method handles, which C1 does not inline.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NameKey name && bytes.equals(name.bytes);
    }

    @Override
    public int hashCode() {
        return bytes.hashCode();
    }

    @Override
    public int compareTo(NameKey other) {
        return ByteString.unsignedLexicographicalComparator().compare(bytes, other.bytes);
    }
}
