package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

/** Where people say who they are. */
final class LoginPage {
    private LoginPage() {}

    /**
     * The page.
     *
     * @param failure of the last attempt; empty if there was none
     * @param accounts whether there are any yet
     */
    static String of(String failure, boolean accounts) {
        Html note = failure.isEmpty()
                ? Html.NOTHING
                : tag("p", css("health"), attribute("role", "alert"), "It did not work: " + failure + ".");
        Html hint = accounts
                ? Html.NOTHING
                : tag(
                        "p",
                        "There is no account yet. Where the queen-bee runs, ",
                        tag("code", "beefs console --new-password"),
                        " makes one.");
        return Layout.plain("BeeFS", Html.all(note, hint, form()));
    }

    private static Html form() {
        return tag(
                "form",
                attribute("method", "post"),
                attribute("action", Door.LOGIN),
                css("stack"),
                tag("label", attribute("for", "name"), "Name"),
                input("name", "text", "username"),
                tag("label", attribute("for", "password"), "Password"),
                input("password", "password", "current-password"),
                tag("button", "Log in"));
    }

    private static Html input(String name, String type, String filling) {
        return tag(
                "input",
                attribute("id", name),
                attribute("name", name),
                attribute("type", type),
                attribute("autocomplete", filling),
                attribute("required", ""));
    }
}
