package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import java.util.Objects;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.event.Event;

/** What has happened, the newest first, a page at a time. */
final class EventsPage implements Page {
    private static final String PATH = "/events";
    private static final int MOST = 200;

    private final ConsoleModel model;

    EventsPage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Events";
    }

    @Override
    public Html body(PageRequest request) {
        String kind = request.value("kind");
        long before = request.number("before");
        List<Event> events = model.events()
                .list(
                        0,
                        before == 0 ? Long.MAX_VALUE : before,
                        Event.KINDS.contains(kind) ? kind : null,
                        null,
                        MOST + 1)
                .reversed();
        List<Event> shown = events.subList(0, Math.min(MOST, events.size()));
        return Html.all(filter(kind), grid(shown), events.size() > MOST ? earlier(kind, shown) : Html.NOTHING);
    }

    private static Html earlier(String kind, List<Event> shown) {
        String ofKind = Event.KINDS.contains(kind) ? "kind=" + kind + "&" : "";
        String address =
                "%s?%sbefore=%d".formatted(PATH, ofKind, shown.getLast().id());
        return tag("p", tag("a", attribute("rel", "next"), attribute("href", address), "Earlier"));
    }

    static Html grid(List<Event> newestFirst) {
        Grid grid = new Grid("The newest first", "When", "What", "Who");
        newestFirst.forEach(event ->
                grid.add(Shown.time(event.time()), event.text(), Objects.requireNonNullElse(event.who(), "by itself")));
        return grid.render("Nothing yet.");
    }

    private static Html filter(String chosen) {
        List<Html> links = Event.KINDS.stream()
                .map(kind -> choice(kind, PATH + "?kind=" + kind, kind.equals(chosen)))
                .toList();
        return tag("p", css("filter"), "Show ", choice("all", PATH, !Event.KINDS.contains(chosen)), links);
    }

    private static Html choice(String text, String address, boolean chosen) {
        return Html.all(
                tag("a", attribute("href", address), attribute("aria-current", chosen ? "true" : "false"), text), " ");
    }
}
