package org.beefs.queenbee.server.request;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.queenbee.lease.Wait;

/**
 * Requests that wait for something and are then run again from the start. A parked request that is sent again takes the
 * place of its former copy, whose connection is gone. Belongs to the namespace thread.
 *
 * <p>Bounded, also for each session: a connection with too many unanswered requests is not read, and over it come the
 * answers to recalls, which others wait for.
 */
final class ParkingLot {
    static final int MAX_OF_SESSION = RpcConnection.MAX_SERVED / 2;

    private record Key(long session, long sequence) {
        /**
         * The key of a request. One that needs no session may name any session, and anybody's number: these say
         * nothing.
         */
        static Key of(Incoming request) {
            return request.needsSession()
                    ? new Key(request.body().getSession(), request.body().getSequence())
                    : new Key(0, 0);
        }

        /** A request that only looks has none, and one that was sent again waits beside its copy. */
        boolean hasSequence() {
            return sequence > 0;
        }
    }

    private final int max;
    private final Map<Key, Incoming> parked = new HashMap<>();
    private final Map<Wait, Set<Key>> waiting = new HashMap<>();
    private final Map<Long, Integer> ofSession = new HashMap<>();
    private long unnumbered;

    ParkingLot(int max) {
        this.max = max;
    }

    /** False when too many wait already. */
    boolean park(Incoming request, Wait wait) {
        Key key = Key.of(request);
        if (!key.hasSequence()) {
            key = new Key(key.session, --unnumbered);
        }
        if (parked.size() >= max || ofSession.getOrDefault(key.session, 0) >= MAX_OF_SESSION) {
            return false;
        }
        parked.put(key, request);
        waiting.computeIfAbsent(wait, w -> new LinkedHashSet<>()).add(key);
        ofSession.merge(key.session, 1, Integer::sum);
        return true;
    }

    /** Puts a request that has come again in the place of its parked copy. False when there is none. */
    boolean replace(Incoming request) {
        return parked.replace(Key.of(request), request) != null;
    }

    /** Shows what those of a session wait for. */
    void forEach(long session, BiConsumer<Incoming, Wait> visitor) {
        waiting.forEach((wait, keys) -> keys.stream()
                .filter(key -> key.session == session)
                .forEach(key -> visitor.accept(parked.get(key), wait)));
    }

    /** Takes those out that wait for this, in the order in which they came. */
    List<Incoming> take(Wait wait) {
        List<Incoming> taken = new ArrayList<>();
        for (Key key : waiting.getOrDefault(wait, Set.of())) {
            taken.add(parked.remove(key));
            ofSession.computeIfPresent(key.session, (session, count) -> count > 1 ? count - 1 : null);
        }
        waiting.remove(wait);
        return taken;
    }
}
