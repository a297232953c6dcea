package org.beefs.common.config;

import java.util.List;

/** How many of something there are, for people. */
public final class Count {
    /** How many are named in one sentence. */
    private static final int MOST_NAMED = 3;

    private Count() {}

    /** For example {@code 1 file} or {@code 3 files}. */
    public static String of(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    /** The first ones by name, and how many more there are: {@code desk1, desk2, desk3 and 7 more desktops}. */
    public static String named(List<String> names, String one, String many) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)));
        int more = names.size() - MOST_NAMED;
        return more > 0 ? first + " and " + of(more, "more " + one, "more " + many) : first;
    }
}
