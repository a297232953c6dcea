package org.beefs.queenbee.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.wire.QueenRequest;

/**
 * Requests that wait for something and are then run again from the start. A parked request that is sent again takes the place
 * of its former copy, whose connection is gone. Bounded. Belongs to the namespace thread.
 */
final class ParkingLot {
    private record Key(long session, long sequence) {}

    private final int max;
    private final Map<Key, Incoming> parked = new LinkedHashMap<>();

    ParkingLot(int max) {
        this.max = max;
    }

    /** False when too many wait already. */
    boolean park(Incoming request) {
        Key key = key(request.body());
        if (parked.size() >= max && !parked.containsKey(key)) {
            return false;
        }
        parked.put(key, request);
        return true;
    }

    /** Takes all of them out, in the order in which they came. */
    List<Incoming> takeAll() {
        List<Incoming> taken = new ArrayList<>(parked.values());
        parked.clear();
        return taken;
    }

    private static Key key(QueenRequest request) {
        return new Key(request.getSession(), request.getSequence());
    }
}
