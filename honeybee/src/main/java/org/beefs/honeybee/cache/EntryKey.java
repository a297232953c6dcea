package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** A name in a directory. */
record EntryKey(long directory, ByteString name) {
    // The methods that a record gets by itself go through method handles, which C1 does not inline.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntryKey key && directory == key.directory && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(directory) + name.hashCode();
    }
}
