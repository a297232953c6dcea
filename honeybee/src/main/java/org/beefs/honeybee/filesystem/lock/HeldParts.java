package org.beefs.honeybee.filesystem.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockRange;

/**
 * How an owner holds the bytes of a file, as its programs were told. Bounded by the locks that the queen-bee grants.
 * Not thread-safe.
 */
final class HeldParts {
    static final LockRange ALL = LockRange.newBuilder().setEnd(Long.MAX_VALUE).build();

    /** From which byte on they are held like this, up to the next one. The first byte is always among them. */
    private final NavigableMap<Long, LockMode> modes = new TreeMap<>(Map.of(0L, LockMode.UNLOCKED));

    HeldParts copy() {
        HeldParts copy = new HeldParts();
        copy.modes.putAll(modes);
        return copy;
    }

    void set(LockRange range, LockMode mode) {
        if (range.getEnd() < Long.MAX_VALUE) {
            modes.put(range.getEnd() + 1, modeAt(range.getEnd() + 1));
        }
        modes.subMap(range.getStart(), true, range.getEnd(), true).clear();
        modes.put(range.getStart(), mode);
        if (range.getEnd() < Long.MAX_VALUE) {
            merge(range.getEnd() + 1);
        }
        merge(range.getStart());
    }

    /** All parts of a range, in their order, also those that are not held. */
    List<LockPart> within(LockRange range) {
        List<LockPart> parts = new ArrayList<>();
        long start = range.getStart();
        for (Long next :
                modes.subMap(range.getStart(), false, range.getEnd(), true).keySet()) {
            parts.add(part(start, next - 1));
            start = next;
        }
        parts.add(part(start, range.getEnd()));
        return parts;
    }

    /** What is held, in its order. */
    List<LockRange> held() {
        return within(ALL).stream()
                .filter(part -> part.getMode() != LockMode.UNLOCKED)
                .map(LockPart::getRange)
                .toList();
    }

    private LockPart part(long start, long end) {
        return LockPart.newBuilder()
                .setRange(LockRange.newBuilder().setStart(start).setEnd(end))
                .setMode(modeAt(start))
                .build();
    }

    private LockMode modeAt(long offset) {
        return Objects.requireNonNull(modes.floorEntry(offset)).getValue();
    }

    /** Joins the part that begins here with the one before, when both are held alike. */
    private void merge(long start) {
        if (start > 0 && modeAt(start - 1) == modeAt(start)) {
            modes.remove(start);
        }
    }
}
