package org.beefs.queenbee.session;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reasons why sessions have ended, for daemons that come back and find theirs gone. In memory only, the last
 * {@value #MOST}. For one thread.
 */
final class Endings {
    static final int MOST = 4096;

    private final Map<Long, String> whyByNumber = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MOST;
        }
    };

    void add(long number, String why) {
        whyByNumber.put(number, why);
    }

    /** Why a session has ended; empty when that is not known. */
    String why(long number) {
        return whyByNumber.getOrDefault(number, "");
    }
}
