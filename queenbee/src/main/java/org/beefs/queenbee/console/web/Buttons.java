package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.regex.Pattern;
import org.beefs.queenbee.console.api.Api;

/** Buttons that do something, each a form that works without scripts. Viewers see none. */
final class Buttons {
    private static final Pattern NOT_PLAIN = Pattern.compile("[^A-Za-z0-9/]");

    private Buttons() {}

    /**
     * A button that does something at once.
     *
     * @param method and path of the REST interface
     * @param back page to show then
     * @param question asked before, where there are scripts; empty for none
     */
    static Html button(Viewer viewer, String label, String method, String path, String back, String question) {
        if (!viewer.isAdministrator()) {
            return Html.NOTHING;
        }
        return form(
                question, target(viewer, method, path, back), tag("button", attribute("id", id(method, path)), label));
    }

    /**
     * A field for a new value, and a button that sets it.
     *
     * @param name of the setting
     * @param example shown while the field is empty
     * @param path that takes the value by PUT
     */
    static Html input(Viewer viewer, String name, String example, String path, String back) {
        if (!viewer.isAdministrator()) {
            return Html.NOTHING;
        }
        return form(
                "",
                target(viewer, "PUT", path, back),
                tag(
                        "input",
                        attribute("id", id("value", path)),
                        attribute("hx-preserve", "true"),
                        attribute("name", "value"),
                        attribute("size", 10),
                        attribute("maxlength", 200),
                        attribute("required", ""),
                        attribute("placeholder", example),
                        attribute("aria-label", "New value of " + name)),
                tag("button", attribute("id", id("PUT", path)), "Set"));
    }

    /** The hidden fields of a form that does something. */
    static Html target(Viewer viewer, String method, String path, String back) {
        return Html.all(
                hidden("csrf", viewer.session().csrf()),
                hidden("method", method),
                hidden("target", Api.ROOT + path),
                hidden("back", back));
    }

    static Html drain(Viewer viewer, String desktop, String back) {
        return button(
                viewer,
                "Drain",
                "POST",
                "/desktops/" + Api.encoded(desktop) + "/drain",
                back,
                "Empty " + desktop + ", so that it can be switched off for good?");
    }

    static Html cancelDrain(Viewer viewer, String desktop, String back) {
        return button(viewer, "Stop draining", "DELETE", "/desktops/" + Api.encoded(desktop) + "/drain", back, "");
    }

    static Html lost(Viewer viewer, String desktop, String back) {
        return button(
                viewer,
                "Give up",
                "POST",
                "/desktops/" + Api.encoded(desktop) + "/lost",
                back,
                "Give up what is away of " + desktop
                        + "? What was written there and not copied stays away until it comes back.");
    }

    static Html forget(Viewer viewer, String desktop, String back) {
        return button(
                viewer,
                "Forget",
                "POST",
                "/desktops/" + Api.encoded(desktop) + "/forget",
                back,
                "Forget " + desktop + " for good? Its folder is never taken in again.");
    }

    static Html pause(Viewer viewer, String desktop, String back) {
        return button(viewer, "Pause 1h", "POST", "/desktops/" + Api.encoded(desktop) + "/pause", back, "");
    }

    static Html resume(Viewer viewer, String desktop, String back) {
        return button(viewer, "Go on", "DELETE", "/desktops/" + Api.encoded(desktop) + "/pause", back, "");
    }

    static Html eject(Viewer viewer, String desktop, String back) {
        return button(
                viewer,
                "Eject",
                "DELETE",
                "/clients/" + Api.encoded(desktop),
                back,
                "Take all locks from the programs of " + desktop + ", and close the files that they have open?");
    }

    static Html wake(Viewer viewer, String desktop, String back) {
        return button(viewer, "Wake", "POST", "/desktops/" + Api.encoded(desktop) + "/wake", back, "");
    }

    /** Begins a drill of the recovery, or stops the one that is under way. */
    static Html drill(Viewer viewer, boolean running, String back) {
        return running
                ? button(viewer, "Stop the drill", "DELETE", "/recovery/drill", back, "")
                : button(viewer, "Start a drill", "POST", "/recovery/drill", back, "");
    }

    private static Html form(String question, Object... content) {
        return tag(
                "form",
                attribute("method", "post"),
                attribute("action", "/do"),
                css("inline"),
                attribute("data-confirm", question),
                Html.all(content));
    }

    private static Html hidden(String name, String value) {
        return tag("input", attribute("type", "hidden"), attribute("name", name), attribute("value", value));
    }

    /**
     * So that the focus, and what is being typed, stays where it is when the page is brought up to date. htmx takes it
     * for a selector as it is: dots would be classes.
     */
    private static String id(String method, String path) {
        String plain = NOT_PLAIN
                .matcher(path)
                .replaceAll(found -> "_%x".formatted((int) found.group().charAt(0)));
        return "do-" + method + plain.replace('/', '-');
    }
}
