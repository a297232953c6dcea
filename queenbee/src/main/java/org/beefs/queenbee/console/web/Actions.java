package org.beefs.queenbee.console.web;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.ApiRequest;
import org.beefs.queenbee.console.api.ApiResponse;
import org.beefs.queenbee.console.api.Messages;
import org.beefs.queenbee.console.api.Problem;
import org.beefs.queenbee.console.login.Note;
import tools.jackson.databind.json.JsonMapper;

/** Carries out what a page's form asks, through the REST interface, and shows the page again. Thread-safe. */
final class Actions {
    private final Api api;

    Actions(Api api) {
        this.api = api;
    }

    /**
     * Its fields beside those of {@link Buttons#target} are the request's body, and {@code name} may stand in the path.
     */
    void serve(Exchange exchange, Viewer viewer) throws IOException {
        Map<String, String> form = new HashMap<>(exchange.form());
        if (!Door.isOwn(viewer, form.getOrDefault("csrf", ""))) {
            exchange.html(
                    403,
                    Layout.plain(
                            "Not done",
                            Html.tag("p", "That form is not of this session. ", Html.link("/", "To the hive"))));
            return;
        }
        form.remove("csrf");
        String method = form.getOrDefault("method", "");
        String back = form.getOrDefault("back", "/");
        String name = form.getOrDefault("name", "");
        String path = form.getOrDefault("target", "").replace("{name}", Api.encoded(name));
        ApiResponse response = api.call(
                new ApiRequest(method, path, Map.of(), JsonMapper.shared().writeValueAsString(form), viewer.who()));
        viewer.session().setNote(note(response.body()));
        exchange.redirect(back.startsWith("/") && !back.startsWith("//") ? back : "/");
    }

    private static Note note(Object reply) {
        return switch (reply) {
            case Problem problem
            when problem.status() == Problem.MAY_BE_DONE ->
                new Note("It was asked for: " + problem.detail() + ".", true);
            case Problem problem -> new Note("It was not done: " + problem.detail() + ".", false);
            default -> new Note(done(reply), true);
        };
    }

    private static String done(Object reply) {
        return switch (reply) {
            case Messages.Done done -> done.done() + ".";
            case Messages.NewPassword made ->
                "The password of %s is %s - write it down, it is shown this once. %s."
                        .formatted(made.name(), made.password(), made.told());
            case Messages.NewToken made ->
                "The token %s is %s - keep it safe, it is shown this once.".formatted(made.name(), made.secret());
            default -> "It was done.";
        };
    }
}
