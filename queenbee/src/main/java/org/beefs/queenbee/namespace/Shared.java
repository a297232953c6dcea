package org.beefs.queenbee.namespace;

import java.util.HashMap;
import java.util.Map;

/** One object for equal immutable values of many inodes, as far as its bound reaches. */
final class Shared<T> {
    private static final int MOST = 65_536;

    private final Map<T, T> known = new HashMap<>();

    T share(T value) {
        T same = known.get(value);
        if (same == null && known.size() < MOST) {
            known.put(value, value);
        }
        return same == null ? value : same;
    }
}
