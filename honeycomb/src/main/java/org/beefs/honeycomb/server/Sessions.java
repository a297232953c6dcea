package org.beefs.honeycomb.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sessions whose requests were served since the start, by number. Keeps {@value #BOUND} of them; the one unused for
 * longest goes, and then knows nothing of requests that it carried out. Thread-safe.
 */
final class Sessions {
    static final int BOUND = 1024;

    private final Map<Long, SessionAnswers> sessions = new LinkedHashMap<>(16, 0.75f, true);

    synchronized SessionAnswers of(long session) {
        SessionAnswers answers = sessions.computeIfAbsent(session, number -> new SessionAnswers());
        if (sessions.size() > BOUND) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        return answers;
    }
}
