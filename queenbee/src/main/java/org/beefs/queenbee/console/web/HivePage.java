package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import java.util.Locale;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.console.model.snapshot.HiveView.Attention;
import org.beefs.queenbee.console.model.snapshot.HiveView.Copies;
import org.beefs.queenbee.console.model.snapshot.HiveView.Load;

/** The hive at a glance. */
final class HivePage implements Page {
    private final ConsoleModel model;

    HivePage(ConsoleModel model) {
        this.model = model;
    }

    @Override
    public String title() {
        return "Hive";
    }

    @Override
    public Html body(PageRequest request) {
        HiveView hive = model.snapshot().hive();
        return Html.all(
                tag("p", css(hive.healthy() ? "health good" : "health"), hive.health()),
                attention(hive.attention(), request.viewer()),
                tiles(hive),
                charts(),
                tag("p", css("faint"), "Hive ", tag("code", hive.id()), ", as of ", Shown.time(hive.time()), "."));
    }

    private static Html attention(List<Attention> attention, Viewer viewer) {
        if (attention.isEmpty()) {
            return Html.NOTHING;
        }
        List<Html> items = attention.stream()
                .map(one -> tag("li", tag("strong", one.what()), " ", one.advice(), " ", button(one, viewer)))
                .toList();
        return Html.all(tag("h2", "What needs attention"), tag("ul", css("attention"), items));
    }

    private static Html button(Attention attention, Viewer viewer) {
        String desktop = attention.desktop();
        String action = attention.action();
        if ("drill".equals(action)) {
            return Buttons.drill(viewer, false, RecoveryPage.PATH);
        }
        if (desktop == null || action == null) {
            return Html.NOTHING;
        }
        return action.equals("lost") ? Buttons.lost(viewer, desktop, "/") : Buttons.cancelDrain(viewer, desktop, "/");
    }

    private static Html tiles(HiveView hive) {
        return tag(
                "dl",
                css("tiles"),
                tile(
                        "Space for files",
                        Shown.bytes(hive.space().available()) + " free",
                        "of " + Shown.bytes(hive.space().capacity()) + ", as users see it"),
                tile(
                        "Space on desktops",
                        Shown.bytes(hive.rawSpace().used()) + " used",
                        "of " + Shown.bytes(hive.rawSpace().capacity()) + " on those that are awake"),
                tile(
                        "Files and folders",
                        Shown.number(hive.inodes()),
                        Shown.number(hive.dirtyFiles()) + " being written"),
                tile(
                        "Requests",
                        String.format(Locale.ROOT, "%.1f a second", hive.load().operationsPerSecond()),
                        times(hive.load())),
                tile(
                        "Copies",
                        toBeMade(hive.copies()),
                        "%s under way, %s/s"
                                .formatted(
                                        Shown.number(hive.copies().underWay()),
                                        Shown.bytes(hive.copies().rate()))),
                tile(
                        "Traffic",
                        Shown.bytes(hive.load().traffic()) + "/s",
                        "between desktops; what lies where it is used is not seen here"),
                tile(
                        "Locks",
                        Shown.number(hive.load().locks()) + " held",
                        Shown.number(hive.load().waitingForLocks()) + " waited for"));
    }

    private static String times(Load load) {
        return load.slowMicros() == 0
                ? "none just now"
                : "half within %s, 99 of 100 within %s"
                        .formatted(Shown.micros(load.medianMicros()), Shown.micros(load.slowMicros()));
    }

    private static String toBeMade(Copies copies) {
        if (copies.toCopy() > 0) {
            return Shown.number(copies.toCopy()) + " to be made";
        }
        return copies.underReplicated() + copies.stale() == 0 ? "all made" : "waiting for desktops";
    }

    private static Html charts() {
        return Html.all(
                tag("h2", "The last hour"),
                tag(
                        "div",
                        css("charts"),
                        attribute("id", "charts"),
                        attribute("hx-preserve", "true"),
                        chart("chart-operations", "Requests to the queen-bee, a second"),
                        chart("chart-latency", "How long they take"),
                        chart("chart-traffic", "Content between desktops, and copies of it")));
    }

    private static Html chart(String id, String title) {
        return tag("figure", tag("figcaption", title), tag("div", attribute("id", id)));
    }

    static Html tile(String name, String value, String more) {
        return tag("div", tag("dt", name), tag("dd", value, tag("small", more)));
    }
}
