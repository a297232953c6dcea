package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import java.util.Objects;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.event.Event;

/** What has happened, the newest first. */
final class EventsPage implements Page {
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
        List<Event> events = model.events().list(0, Event.KINDS.contains(kind) ? kind : null, null, MOST);
        return Html.all(filter(kind), grid(events.reversed()));
    }

    static Html grid(List<Event> newestFirst) {
        Grid grid = new Grid("The newest first", "When", "What", "Who");
        newestFirst.forEach(event ->
                grid.add(Shown.time(event.time()), event.text(), Objects.requireNonNullElse(event.who(), "by itself")));
        return grid.render("Nothing yet.");
    }

    private static Html filter(String chosen) {
        List<Html> links = Event.KINDS.stream()
                .map(kind -> choice(kind, "/events?kind=" + kind, kind.equals(chosen)))
                .toList();
        return tag("p", css("filter"), "Show ", choice("all", "/events", !Event.KINDS.contains(chosen)), links);
    }

    private static Html choice(String text, String address, boolean chosen) {
        return Html.all(
                tag("a", attribute("href", address), attribute("aria-current", chosen ? "true" : "false"), text), " ");
    }
}
