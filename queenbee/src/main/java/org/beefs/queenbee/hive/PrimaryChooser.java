package org.beefs.queenbee.hive;

import java.util.Comparator;
import java.util.Optional;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.session.Session;

/**
 * Where a new file's primary replica goes: to the honeycomb on the creator's own desktop if that has room and is not
 * being emptied, else to the one with the most free space of those that the creator reaches. A new file is empty, so
 * full honeycombs are no failure here: the first write tells.
 */
public final class PrimaryChooser {
    private final Honeycombs honeycombs;
    private final ByteSize room;

    /** @param room what must be free in a honeycomb so that it has room */
    public PrimaryChooser(Honeycombs honeycombs, ByteSize room) {
        this.honeycombs = honeycombs;
        this.room = room;
    }

    /** What must be free in a creator's own honeycomb for a new file to go there. Bytes. */
    public long room() {
        return room.bytes();
    }

    /** Empty when no honeycomb is connected. */
    public Optional<Honeycomb> choose(Session creator) {
        Optional<Honeycomb> own = honeycombs
                .servedBy(creator)
                .filter(honeycomb -> honeycomb.available() >= room.bytes() && !honeycomb.isDraining());
        return own.isPresent()
                ? own
                : honeycombs.all().stream().filter(Honeycomb::isConnected).min(best(creator));
    }

    private static Comparator<Honeycomb> best(Session creator) {
        return Comparator.comparing(Honeycomb::isDraining)
                .thenComparing(Honeycomb::isReadOnly)
                .thenComparing(honeycomb -> creator.unreached().contains(honeycomb.number()))
                .thenComparing(Honeycomb.ROOMIEST);
    }
}
