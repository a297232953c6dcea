package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaPlace;

/**
 * Lets all layouts that are kept have the same few words for the honeycombs that they name, of which each message
 * brings its own. Guarded by the cache's lock.
 */
final class SharedPlaces {
    /** Honeycombs at a time; those not seen for longest go first. */
    private static final int MOST = 256;

    private final SequencedMap<ByteString, ReplicaPlace> places = EldestFirst.map(MOST);

    Layout shared(Layout layout) {
        ReplicaPlace primary = shared(ReplicaPlace.newBuilder()
                .setHoneycomb(layout.getHoneycomb())
                .setAddress(layout.getAddress())
                .setDesktop(layout.getDesktop())
                .build());
        Layout.Builder shared = layout.toBuilder()
                .setHoneycomb(primary.getHoneycomb())
                .setAddress(primary.getAddress())
                .setDesktop(primary.getDesktop());
        for (int i = 0; i < layout.getSecondariesCount(); i++) {
            shared.setSecondaries(i, shared(layout.getSecondaries(i)));
        }
        return shared.build();
    }

    private ReplicaPlace shared(ReplicaPlace place) {
        ReplicaPlace known = places.get(place.getHoneycomb());
        ReplicaPlace shared = known != null && known.equals(place) ? known : place;
        places.putLast(shared.getHoneycomb(), shared);
        return shared;
    }
}
