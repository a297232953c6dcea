package org.beefs.queenbee.console.login;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Who has logged in, in memory only: a restart of the queen-bee logs everybody out. Of too many of an account the one
 * unused for longest goes; those of others stay. Thread-safe.
 */
public final class WebSessions {
    /** Sessions of one account; of accounts there are at most {@link Accounts#MOST}. */
    static final int MOST = 20;

    /** How long a session lasts at most, however busy somebody is. */
    static final Duration LONGEST = Duration.ofHours(12);

    private final Clock clock;
    private final RandomGenerator random;
    private final Duration idle;
    private final Map<String, WebSession> byHash = new HashMap<>();

    /**
     * @param random for cryptography
     * @param idle how long one may be unused
     */
    public WebSessions(Clock clock, RandomGenerator random, Duration idle) {
        this.clock = clock;
        this.random = random;
        this.idle = idle;
    }

    /** Begins a session. Answers the secret that shows whose it is. */
    public synchronized String begin(String account) {
        byHash.values().removeIf(this::isOver);
        makeRoom(account);
        String secret = Secrets.random(random);
        byHash.put(Secrets.hash(secret), new WebSession(account, Secrets.random(random), clock.bootNanos()));
        return secret;
    }

    private void makeRoom(String account) {
        List<WebSession> own = byHash.values().stream()
                .filter(session -> session.account().equals(account))
                .sorted(Comparator.comparingLong(WebSession::used))
                .toList();
        if (own.size() >= MOST) {
            byHash.values().remove(own.getFirst());
        }
    }

    /**
     * The session whose secret that is.
     *
     * @param byHand whether a person does something, and not an open page by itself: only that keeps it
     */
    public synchronized Optional<WebSession> find(String secret, boolean byHand) {
        WebSession session = byHash.get(Secrets.hash(secret));
        if (session == null || isOver(session)) {
            return Optional.empty();
        }
        if (byHand) {
            session.use(clock.bootNanos());
        }
        return Optional.of(session);
    }

    public synchronized void end(String secret) {
        byHash.remove(Secrets.hash(secret));
    }

    /** Logs somebody out everywhere. */
    public void endAll(String account) {
        endOthers(account, null);
    }

    /** Logs somebody out everywhere but in the session that asks for it; null if none does. */
    public synchronized void endOthers(String account, @Nullable WebSession asking) {
        byHash.values()
                .removeIf(session -> session != asking && session.account().equals(account));
    }

    private boolean isOver(WebSession session) {
        long now = clock.bootNanos();
        return now - session.used() > idle.toNanos() || now - session.began() > LONGEST.toNanos();
    }
}
