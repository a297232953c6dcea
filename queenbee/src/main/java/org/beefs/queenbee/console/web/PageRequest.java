package org.beefs.queenbee.console.web;

import java.util.List;
import java.util.Map;

/**
 * A request for a page.
 *
 * @param path what follows the page's own path, decoded; empty if nothing does
 * @param query decoded, with all values of each name
 */
record PageRequest(String path, Map<String, List<String>> query, Viewer viewer) {
    String value(String name) {
        return query.getOrDefault(name, List.of("")).getLast();
    }

    List<String> values(String name) {
        return query.getOrDefault(name, List.of());
    }

    /** A number that is not negative; 0 if there is none. */
    long number(String name) {
        String text = value(name);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }
}
