package org.beefs.queenbee.replication.primary;

import java.util.Optional;
import java.util.stream.Stream;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;

/** Chooses the honeycomb to which a file's primary goes. */
public final class Heirs {
    private Heirs() {}

    /** The best of these places, or of all for a file that is nowhere. */
    public static Optional<Honeycomb> of(Inode inode, Stream<Honeycomb> places, Honeycombs all) {
        return inode.isBlank() ? ofBlank(inode, all) : current(inode, places);
    }

    /** The best of these for the file as it is: one whose replica is the newest version, and sound. */
    public static Optional<Honeycomb> current(Inode inode, Stream<Honeycomb> places) {
        return sound(inode, places.filter(place -> inode.secondaries().isCurrent(place.number())));
    }

    /** The best place for a blank file other than its own: nothing has to be copied. */
    private static Optional<Honeycomb> ofBlank(Inode inode, Honeycombs honeycombs) {
        return honeycombs.all().stream()
                .filter(place -> place.isConnected() && !place.isDraining() && place.number() != inode.honeycomb())
                .min(Honeycomb.ROOMIEST);
    }

    /** The best of these whose replica is sound, whatever version that is. */
    static Optional<Honeycomb> sound(Inode inode, Stream<Honeycomb> places) {
        return places.filter(place -> place.isSound(inode.number())).min(Honeycomb.ROOMIEST);
    }
}
