package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** A name in a directory. It has an order for the same reason as a {@link NameKey}. */
record EntryKey(long directory, ByteString name) implements Comparable<EntryKey> {
    // The methods that a record gets by itself go through method handles, which C1 does not inline.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntryKey key && directory == key.directory && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(directory) + name.hashCode();
    }

    @Override
    public int compareTo(EntryKey other) {
        int byDirectory = Long.compare(directory, other.directory);
        return byDirectory != 0
                ? byDirectory
                : ByteString.unsignedLexicographicalComparator().compare(name, other.name);
    }
}
