package org.beefs.queenbee.namespace;

import java.util.HashMap;
import java.util.Map;

/**
 * One object for equal immutable values of many inodes. Remembers up to a bound of them, and then begins anew: who has
 * a value keeps his object, what nobody has any more goes, and what comes is shared from then on.
 */
final class Shared<T> {
    private static final int MOST = 65_536;

    private final Map<T, T> known = new HashMap<>();

    T share(T value) {
        T same = known.get(value);
        if (same != null) {
            return same;
        }
        if (known.size() == MOST) {
            known.clear();
        }
        known.put(value, value);
        return value;
    }
}
