package org.beefs.honeycomb.server;

import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;

/**
 * The sessions whose requests were served since the start, by number. Keeps {@value #BOUND} of them; the one unused for
 * longest goes, and then knows nothing of requests that it carried out. Thread-safe.
 */
final class Sessions {
    static final int BOUND = 1024;

    private final SequencedMap<Long, SessionAnswers> sessions = EldestFirst.map(BOUND);

    /** 0 is nobody's: honeycombs that fetch from this one change nothing, and each has connections of its own. */
    synchronized SessionAnswers of(long session) {
        if (session == 0) {
            return new SessionAnswers();
        }
        SessionAnswers known = sessions.get(session);
        SessionAnswers answers = known == null ? new SessionAnswers() : known;
        sessions.putLast(session, answers);
        return answers;
    }
}
