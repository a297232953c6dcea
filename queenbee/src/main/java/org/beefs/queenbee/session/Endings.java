package org.beefs.queenbee.session;

import java.util.Map;
import org.beefs.common.collection.EldestFirst;

/**
 * Reasons why sessions have ended, for daemons that come back and find theirs gone. In memory only, the last
 * {@value #MOST}. For one thread.
 */
final class Endings {
    static final int MOST = 4096;

    private final Map<Long, String> whyByNumber = EldestFirst.map(MOST);

    void add(long number, String why) {
        whyByNumber.put(number, why);
    }

    /** Why a session has ended; empty when that is not known. */
    String why(long number) {
        return whyByNumber.getOrDefault(number, "");
    }
}
