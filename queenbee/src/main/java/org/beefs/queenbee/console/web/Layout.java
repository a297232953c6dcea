package org.beefs.queenbee.console.web;

import static org.beefs.queenbee.console.web.Html.attribute;
import static org.beefs.queenbee.console.web.Html.css;
import static org.beefs.queenbee.console.web.Html.tag;

import java.util.List;
import java.util.Map;
import org.beefs.queenbee.console.login.Note;

/** What is around each page. */
final class Layout {
    /** htmx neither makes styles nor runs code from pages, as the content security policy wants it. */
    private static final String HTMX =
            "{\"includeIndicatorStyles\":false,\"allowEval\":false,\"allowScriptTags\":false,\"historyEnabled\":false}";

    /** Has what a page asks by itself say so. */
    static final Html.Attribute REFRESH = attribute("hx-headers", "{\"X-Beefs-Refresh\":\"1\"}");

    /** Shown by the script while it hears nothing, and when the page is there no more. */
    private static final Html NO_ANSWER = tag(
            "p",
            css("note bad"),
            attribute("id", "no-answer"),
            attribute("role", "status"),
            attribute("hidden", ""),
            "The queen-bee does not answer, or has nothing more to show here. This is what she said last.");

    private Layout() {}

    /**
     * A page with its navigation.
     *
     * @param pages that the viewer may see, by path
     * @param path of this one among them
     * @param address of this page with its query
     * @param note what has come of a button
     */
    static String page(
            Map<String, Page> pages, String path, String address, Page page, Html body, Viewer viewer, Note note) {
        List<Html> links = pages.entrySet().stream()
                .map(entry -> tag(
                        "li",
                        entry.getKey().equals(path)
                                ? tag(
                                        "a",
                                        attribute("href", entry.getKey()),
                                        attribute("aria-current", "page"),
                                        entry.getValue().title())
                                : Html.link(entry.getKey(), entry.getValue().title())))
                .toList();
        Html header = tag(
                "header",
                tag("a", css("skip"), attribute("href", "#live"), "To the content"),
                tag("strong", "BeeFS"),
                tag("nav", attribute("aria-label", "Pages"), tag("ul", links)),
                tag(
                        "form",
                        attribute("method", "post"),
                        attribute("action", "/logout"),
                        css("inline"),
                        // Not to log out, but for whoever has a page's word sent along by a script.
                        tag(
                                "input",
                                attribute("type", "hidden"),
                                attribute("name", "csrf"),
                                attribute("value", viewer.session().csrf())),
                        tag(
                                "span",
                                css("who"),
                                viewer.who().name(),
                                " (",
                                viewer.who().role().word(),
                                ")"),
                        tag("button", "Log out")));
        Html said = note.text().isEmpty() ? Html.NOTHING : said(note);
        return document(
                page.title(), Html.all(header, tag("div", css("page"), NO_ANSWER, said, main(page, address, body))));
    }

    /** What has come of a button. Who uses the keyboard goes on from there. */
    private static Html said(Note note) {
        return tag(
                "p",
                css(note.done() ? "note" : "note bad"),
                attribute("role", "status"),
                attribute("tabindex", -1),
                attribute("autofocus", ""),
                note.text());
    }

    /** A page without navigation. */
    static String plain(String title, Html body) {
        return document(title, tag("main", css("page narrow"), attribute("id", "live"), tag("h1", title), body));
    }

    private static Html main(Page page, String address, Html body) {
        Html heading = tag("h1", page.title());
        if (!page.isLive()) {
            return tag("main", attribute("id", "live"), attribute("tabindex", -1), heading, body);
        }
        return tag(
                "main",
                attribute("id", "live"),
                attribute("tabindex", -1),
                attribute("hx-get", address),
                attribute("hx-trigger", "snapshot from:body"),
                attribute("hx-select", "#live"),
                attribute("hx-swap", "outerHTML"),
                attribute("hx-request", "{\"timeout\":20000}"), // PATIENCE in console.js
                REFRESH,
                heading,
                body);
    }

    private static String document(String title, Html body) {
        return tag(
                        "html",
                        attribute("lang", "en"),
                        tag(
                                "head",
                                tag("meta", attribute("charset", "utf-8")),
                                tag(
                                        "meta",
                                        attribute("name", "viewport"),
                                        attribute("content", "width=device-width, initial-scale=1")),
                                tag("meta", attribute("name", "color-scheme"), attribute("content", "light dark")),
                                tag("meta", attribute("name", "htmx-config"), attribute("content", HTMX)),
                                tag("title", title, " - BeeFS"),
                                tag("link", attribute("rel", "icon"), attribute("href", "/assets/icon.svg")),
                                style("uPlot.min.css"),
                                style("console.css"),
                                script("htmx.min.js"),
                                script("uPlot.iife.min.js"),
                                script("console.js")),
                        tag("body", body))
                .document();
    }

    private static Html style(String name) {
        return tag("link", attribute("rel", "stylesheet"), attribute("href", "/assets/" + name));
    }

    private static Html script(String name) {
        return tag("script", attribute("src", "/assets/" + name), attribute("defer", ""));
    }
}
