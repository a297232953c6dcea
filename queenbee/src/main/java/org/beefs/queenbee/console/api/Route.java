package org.beefs.queenbee.console.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.login.Role;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked.
 *
 * @param path below {@link Api#ROOT}; a segment in braces is a variable
 * @param role that it needs
 * @param summary for the description
 * @param parameters of the query
 * @param body a record; null if there is none
 * @param status when it succeeds
 * @param reply a record
 */
record Route(
        String method,
        String path,
        Role role,
        String summary,
        List<Parameter> parameters,
        @Nullable Class<? extends Record> body,
        int status,
        Class<? extends Record> reply,
        Function<Call, Record> handler) {
    /**
     * A parameter of the query.
     *
     * @param type {@code string} or {@code integer}
     */
    record Parameter(String name, String type, boolean required, String summary) {
        static Parameter text(String name, String summary) {
            return new Parameter(name, "string", false, summary);
        }

        static Parameter number(String name, String summary) {
            return new Parameter(name, "integer", false, summary);
        }

        Parameter asRequired() {
            return new Parameter(name, type, true, summary);
        }
    }

    static <R extends Record> Route get(
            String path, String summary, Class<R> reply, Function<Call, R> handler, Parameter... parameters) {
        return new Route("GET", path, Role.VIEWER, summary, List.of(parameters), null, 200, reply, handler::apply);
    }

    /** Something that only an administrator does, and that answers what was done. */
    static Route action(String method, String path, String summary, Function<Call, Done> handler) {
        return change(method, path, summary, null, Done.class, handler);
    }

    /** As {@link #action} of what needs a body. */
    static Route action(
            String method, String path, String summary, Class<? extends Record> body, Function<Call, Done> handler) {
        return change(method, path, summary, body, Done.class, handler);
    }

    /** Something that only an administrator does, and that answers more than what was done. */
    static <R extends Record> Route change(
            String method,
            String path,
            String summary,
            @Nullable Class<? extends Record> body,
            Class<R> reply,
            Function<Call, R> handler) {
        return new Route(method, path, Role.ADMINISTRATOR, summary, List.of(), body, 200, reply, handler::apply);
    }

    /** This route for administrators only. */
    Route restricted() {
        return new Route(method, path, Role.ADMINISTRATOR, summary, parameters, body, status, reply, handler);
    }

    /** The variables of a path that matches this one; nothing when it does not. */
    Optional<Map<String, String>> match(String asked) {
        String[] wanted = path.split("/", -1);
        String[] given = asked.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                // A plus is a plus in a path.
                String value = URLDecoder.decode(given[i].replace("+", "%2B"), StandardCharsets.UTF_8);
                variables.put(wanted[i].substring(1, wanted[i].length() - 1), value);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }
}
