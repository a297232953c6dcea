package org.beefs.integration.walk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * A regular file and its bytes. What was written is there at once for everybody, except what was stored through a
 * mapping: until that is synced or unmapped, only the mount of the mapping must show it; others show each byte as it is
 * or as it was at some moment since the last sync. For one thread.
 */
final class Content extends Node {
    private final List<SharedMapping> mappings = new ArrayList<>();

    /** What others than the mount of {@link #storing} may show as well. The arrays are never written again. */
    private final List<byte[]> earlier = new ArrayList<>();

    /** Through which something was stored that is not synced yet. */
    private @Nullable SharedMapping storing;

    /** Replaced by each change. */
    private byte[] bytes = new byte[0];

    Content(Changes changes) {
        super(changes);
    }

    @Override
    int type() {
        return FileMode.REGULAR;
    }

    @Override
    boolean keepsTimes() {
        return storing == null;
    }

    int size() {
        return bytes.length;
    }

    byte[] read(int offset, int count) {
        int end = Math.min(bytes.length, offset + count);
        return offset >= end ? new byte[0] : Arrays.copyOfRange(bytes, offset, end);
    }

    void write(Mount by, int offset, byte[] written) {
        if (written.length > 0) {
            byte[] after = Arrays.copyOf(bytes, Math.max(bytes.length, offset + written.length));
            System.arraycopy(written, 0, after, offset, written.length);
            replace(by, after, Math.min(offset, bytes.length), offset + written.length);
        }
    }

    void append(Mount by, byte[] written) {
        write(by, bytes.length, written);
    }

    void truncate(Mount by, int size) {
        replace(by, Arrays.copyOf(bytes, size), Math.min(size, bytes.length), size);
    }

    /** Makes zeros of what there is in the range; the size stays. */
    void clear(Mount by, int offset, int length) {
        int end = Math.min(bytes.length, offset + length);
        byte[] after = bytes.clone();
        Arrays.fill(after, Math.min(offset, end), end, (byte) 0);
        replace(by, after, offset, end);
    }

    void extend(Mount by, int size) {
        truncate(by, Math.max(size, bytes.length));
    }

    void map(SharedMapping mapping) {
        mappings.add(mapping);
    }

    /** As writing, but through memory. */
    void store(SharedMapping mapping, int offset, byte[] stored) {
        storing = mapping;
        write(mapping.mount(), offset, stored);
    }

    /** Everybody sees now what was stored through the mapping. */
    void sync(SharedMapping mapping) {
        if (storing == mapping) {
            storing = null;
            earlier.clear();
            modified = null;
            changed().ofBytes(0, bytes.length);
        }
    }

    void unmap(SharedMapping mapping) {
        sync(mapping);
        mappings.remove(mapping);
    }

    /** Whether something may be stored through the mapping: there is something, and nobody else is storing. */
    boolean mayStore(SharedMapping mapping) {
        return bytes.length > 0 && (storing == null || storing == mapping);
    }

    /** How many states since the last sync others may see. */
    int unsynced() {
        return earlier.size();
    }

    /**
     * Whether another mount has stored something that is not synced. Then nobody knows what reading gives, and whoever
     * changes the file may change it back, because pages are written as a whole.
     */
    boolean isUnsettledFor(Mount mount) {
        return storing != null && !storing.mount().equals(mount);
    }

    /** The index of the first byte found that the mount must not show at {@code offset}; -1 when all are right. */
    int mismatch(Mount mount, int offset, byte[] found) {
        byte[] expected = read(offset, found.length);
        int different = Arrays.mismatch(expected, found);
        if (!isUnsettledFor(mount)) {
            return different;
        }
        while (different >= 0 && different < expected.length && wasBefore(offset + different, found[different])) {
            int next = different + 1;
            int more = Arrays.mismatch(expected, next, expected.length, found, next, found.length);
            different = more < 0 ? -1 : next + more;
        }
        return different;
    }

    private boolean wasBefore(int offset, byte found) {
        return earlier.stream().anyMatch(state -> offset < state.length && state[offset] == found);
    }

    private void replace(Mount by, byte[] after, int from, int to) {
        if (storing != null) {
            earlier.add(bytes);
        }
        bytes = after;
        modified = null;
        changed().ofBytes(from, to);
        mappings.forEach(mapping -> mapping.changedBy(by));
    }
}
