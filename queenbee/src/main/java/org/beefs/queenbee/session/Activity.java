package org.beefs.queenbee.session;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.jspecify.annotations.Nullable;

/** Requests of a desktop since its session began, for each of its users. Belongs to the namespace thread. */
public final class Activity {
    /** The daemon, for what it asks on nobody's behalf. */
    public static final long DAEMON = -1;

    /** All users together beyond {@link #MOST_USERS}. */
    public static final long OTHERS = -2;

    /** Users of one desktop that are told apart. */
    static final int MOST_USERS = 64;

    private final Map<Long, User> users = new LinkedHashMap<>();

    /** Most requests are of whoever has asked before. */
    private @Nullable User last;

    /** One more request. */
    public void count(QueenRequest request) {
        long uid = request.hasCredentials()
                ? Integer.toUnsignedLong(request.getCredentials().getUid())
                : DAEMON;
        User user = last;
        if (user == null || user.uid != uid) {
            user = user(uid);
            last = user;
        }
        user.counts.computeIfAbsent(request.getOperationCase(), _ -> new Count()).requests++;
    }

    /** Requests by user, or {@link #DAEMON} or {@link #OTHERS}, and by operation. A copy. */
    public Map<Long, Map<OperationCase, Long>> requests() {
        Map<Long, Map<OperationCase, Long>> requests = new LinkedHashMap<>();
        users.forEach((uid, user) -> requests.put(uid, user.requests()));
        return requests;
    }

    private User user(long uid) {
        User known = users.get(uid);
        if (known != null) {
            return known;
        }
        return users.computeIfAbsent(users.size() < MOST_USERS ? uid : OTHERS, User::new);
    }

    private static final class User {
        private final long uid;
        private final Map<OperationCase, Count> counts = new EnumMap<>(OperationCase.class);

        User(long uid) {
            this.uid = uid;
        }

        Map<OperationCase, Long> requests() {
            Map<OperationCase, Long> requests = new EnumMap<>(OperationCase.class);
            counts.forEach((operation, count) -> requests.put(operation, count.requests));
            return requests;
        }
    }

    private static final class Count {
        private long requests;
    }
}
