package org.beefs.queenbee.console.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.WebSessions;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The REST interface, however requests come: over HTTP, through the control socket, from a page's button. Thread-safe.
 */
public final class Api {
    public static final String ROOT = "/api/v1";

    private static final String DESCRIPTION = ROOT + "/openapi.json";

    private static final Logger LOG = LoggerFactory.getLogger(Api.class);

    private final List<Route> routes;

    /**
     * The interface to a model and who may use it.
     *
     * @param address of the web console, if there is one now
     */
    public Api(
            ConsoleModel model,
            Accounts accounts,
            WebSessions sessions,
            SettingsFile settings,
            Supplier<Optional<String>> address) {
        routes = new Routes(model, accounts, sessions, settings, address).all();
    }

    /** Text as a part of a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Does what is asked; a failure is an answer too. */
    public ApiResponse call(ApiRequest request) {
        try {
            return request.path().equals(DESCRIPTION) ? described(request.method()) : answer(request);
        } catch (PosixException e) {
            return ApiResponse.of(Problem.of(e));
        } catch (IllegalArgumentException e) {
            return ApiResponse.of(Problem.of(400, "the address is not understood"));
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.method(), request.path(), e);
            return ApiResponse.of(Problem.of(500, "a defect of the console; see the queen-bee's log"));
        }
    }

    /** The description in the form of OpenAPI 3.1. */
    public ObjectNode description() {
        return new OpenApi(routes).document();
    }

    private ApiResponse described(String method) {
        return method.equals("GET") ? ApiResponse.of(200, description()) : notAllowed(List.of("GET"));
    }

    private ApiResponse answer(ApiRequest request) {
        List<String> allowed = new ArrayList<>();
        for (Route route : routes) {
            Optional<Map<String, String>> variables = match(route, request.path());
            if (variables.isPresent() && route.method().equals(request.method())) {
                return answer(route, new Call(variables.get(), request.query(), request.body(), request.who()));
            }
            variables.ifPresent(_ -> allowed.add(route.method()));
        }
        if (allowed.isEmpty()) {
            return ApiResponse.of(Problem.of(404, "there is no such address; see " + DESCRIPTION));
        }
        return notAllowed(allowed);
    }

    /** The answer to a method that the path does not have. */
    private static ApiResponse notAllowed(List<String> allowed) {
        return new ApiResponse(405, Problem.of(405, "that cannot be done there; see " + DESCRIPTION), allowed);
    }

    private static Optional<Map<String, String>> match(Route route, String path) {
        return path.startsWith(ROOT + "/") ? route.match(path.substring(ROOT.length())) : Optional.empty();
    }

    private static ApiResponse answer(Route route, Call call) {
        if (!call.who().role().includes(route.role())) {
            return ApiResponse.of(Problem.of(403, "only an administrator may do that"));
        }
        for (Route.Parameter parameter : route.parameters()) {
            if (parameter.required() && call.query(parameter.name()) == null) {
                return ApiResponse.of(Problem.of(400, "the query lacks " + parameter.name()));
            }
        }
        return ApiResponse.of(route.status(), route.handler().apply(call));
    }
}
