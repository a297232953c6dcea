package org.beefs.queenbee.recovery;

import java.util.ArrayList;
import java.util.List;

/** Things that are counted, and of which the first ones are named. Not thread-safe. */
final class Named {
    private static final int MOST_NAMES = 100;

    private final List<String> names = new ArrayList<>();
    private long count;

    void add(String name) {
        count++;
        if (names.size() < MOST_NAMES) {
            names.add(name);
        }
    }

    long count() {
        return count;
    }

    /** In one line, for people. */
    @Override
    public String toString() {
        String more = count > names.size() ? ", and %d more".formatted(count - names.size()) : "";
        return String.join(", ", names) + more;
    }
}
