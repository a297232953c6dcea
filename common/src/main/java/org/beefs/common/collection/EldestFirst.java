package org.beefs.common.collection;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * Collections that remember so much at most: what is put into a full one drives the eldest out, the first in its order.
 * What is in it already keeps its place when it is put again, unless {@link SequencedMap#putLast} is told so. Not
 * thread-safe.
 */
public final class EldestFirst {
    private EldestFirst() {}

    /**
     * A map.
     *
     * @param most entries at a time
     */
    public static <K, V> SequencedMap<K, V> map(int most) {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /**
     * A set.
     *
     * @param most elements at a time
     */
    public static <E> SequencedSet<E> set(int most) {
        return Collections.newSequencedSetFromMap(map(most));
    }
}
