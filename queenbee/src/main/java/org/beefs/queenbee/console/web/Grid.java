package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.ArrayList;
import java.util.List;

/**
 * A table; on a phone each row becomes a card. Text that is short stays on one line, so that long names get the room.
 * Not thread-safe.
 */
final class Grid {
    /** Characters of what is no sentence. */
    private static final int SHORT = 25;

    private final String caption;
    private final List<String> headings;
    private final List<Html> rows = new ArrayList<>();

    Grid(String caption, String... headings) {
        this.caption = caption;
        this.headings = List.of(headings);
    }

    /** A row with one cell per heading. */
    void add(Object... cells) {
        List<Html> row = new ArrayList<>();
        for (int i = 0; i < headings.size(); i++) {
            boolean isShort = cells[i] instanceof String text && text.length() <= SHORT;
            row.add(tag(
                    "td",
                    css(isShort ? "short" : "long"),
                    attribute("data-label", headings.get(i)),
                    tag("span", cells[i])));
        }
        rows.add(tag("tr", row));
    }

    /** @param empty what is said instead when there are no rows */
    Html render(String empty) {
        if (rows.isEmpty()) {
            return tag("p", css("empty"), empty);
        }
        List<Html> heads = headings.stream()
                .map(heading -> tag("th", attribute("scope", "col"), heading))
                .toList();
        return tag(
                "div",
                css("scroll"),
                tag("table", tag("caption", caption), tag("thead", tag("tr", heads)), tag("tbody", rows)));
    }
}
