package org.beefs.queenbee.hive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The honeycombs that have yet to remove a replica of an inode, or to forget its record, so that not each has to be
 * asked. Belongs to the namespace thread.
 */
final class Owing {
    /** By inode; few each. */
    private final Map<Long, List<Honeycomb>> honeycombs = new HashMap<>();

    List<Honeycomb> of(long inode) {
        return honeycombs.getOrDefault(inode, List.of());
    }

    void add(long inode, Honeycomb honeycomb) {
        honeycombs.merge(inode, List.of(honeycomb), Owing::both);
    }

    void remove(long inode, Honeycomb honeycomb) {
        honeycombs.computeIfPresent(inode, (same, owing) -> without(owing, honeycomb));
    }

    private static List<Honeycomb> both(List<Honeycomb> some, List<Honeycomb> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }

    private static @Nullable List<Honeycomb> without(List<Honeycomb> some, Honeycomb one) {
        List<Honeycomb> left =
                some.stream().filter(honeycomb -> honeycomb != one).toList();
        return left.isEmpty() ? null : left;
    }
}
