package org.beefs.queenbee.replication;

import java.util.Optional;
import java.util.stream.Stream;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;

/** Chooses the honeycomb to which a file's primary goes. */
final class Heirs {
    private Heirs() {}

    /** The best of these for the file as it is: one whose replica is the newest version, and sound. */
    static Optional<Honeycomb> current(Inode inode, Stream<Honeycomb> places) {
        return sound(inode, places.filter(place -> ReplicaSets.isCurrent(inode, place)));
    }

    /** The best of these whose replica is sound, whatever version that is. */
    static Optional<Honeycomb> sound(Inode inode, Stream<Honeycomb> places) {
        return places.filter(place -> place.isSound(inode.number())).min(Honeycomb.ROOMIEST);
    }
}
