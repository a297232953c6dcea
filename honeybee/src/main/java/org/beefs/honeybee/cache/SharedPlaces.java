package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaPlace;

/**
 * Lets all layouts that are kept have the same few words for the honeycombs that they name, of which each message
 * brings its own. Guarded by the cache's lock.
 */
final class SharedPlaces {
    /** Honeycombs at a time; those not seen for longest go first. */
    private static final int MOST = 256;

    private final Map<ByteString, ReplicaPlace> places = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, ReplicaPlace> eldest) {
            return size() > MOST;
        }
    };

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
        if (known != null && known.equals(place)) {
            return known;
        }
        places.put(place.getHoneycomb(), place);
        return place;
    }
}
