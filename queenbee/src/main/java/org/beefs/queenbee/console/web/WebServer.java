package org.beefs.queenbee.console.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.beefs.common.config.Addresses;
import org.beefs.common.metrics.Exposition;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.ApiRequest;
import org.beefs.queenbee.console.api.ApiResponse;
import org.beefs.queenbee.console.api.Problem;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.Logins;
import org.beefs.queenbee.console.login.Note;
import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.login.WebSessions;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the console's pages, the REST interface and the metrics over HTTP. Thread-safe. */
public final class WebServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final String API = "/api";
    private static final String JSON = "application/json";
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    private final HttpServer server;
    private final Api api;
    private final Door door;
    private final Pages pages;
    private final Exposition metrics;
    private final Actions actions;
    private final Assets assets;
    private final Streams streams;

    /**
     * What the server shows and asks.
     *
     * @param hive its id, in hexadecimal digits
     */
    public record Parts(
            String hive,
            ConsoleModel model,
            OperationTimes<OperationCase> times,
            Api api,
            Accounts accounts,
            WebSessions sessions,
            Logins logins,
            SettingsFile settings,
            Clock clock) {}

    private WebServer(HttpServer server, Parts parts) {
        this.server = server;
        api = parts.api;
        door = new Door(
                parts.accounts,
                parts.sessions,
                parts.logins,
                parts.model,
                "beefs-%d-%.12s".formatted(server.getAddress().getPort(), parts.hive));
        pages = new Pages(parts.model, parts.accounts, parts.settings);
        actions = new Actions(api);
        assets = new Assets();
        streams = new Streams(parts.clock);
        metrics = HiveMetrics.of(parts.model, parts.times);
    }

    /**
     * Begins to serve.
     *
     * @param mayMove whether an address that is taken is replaced by another one of this machine's own; otherwise it
     *     fails then
     * @param executor runs each request, which may wait
     */
    public static WebServer open(InetSocketAddress address, boolean mayMove, Parts parts, ExecutorService executor)
            throws IOException {
        HttpServer http = listen(new InetSocketAddress(address.getHostString(), address.getPort()), mayMove);
        WebServer web = new WebServer(http, parts);
        http.createContext("/", web::handle);
        http.setExecutor(executor);
        parts.model.listen(web.streams);
        http.start();
        return web;
    }

    private static HttpServer listen(InetSocketAddress address, boolean mayMove) throws IOException {
        try {
            return HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            if (!mayMove) {
                throw e;
            }
            HttpServer other = listenElsewhere(address.getPort());
            LOG.warn(
                    "the console's address {} is taken; it listens at {} for now",
                    Addresses.format(address),
                    Addresses.format(other.getAddress()));
            return other;
        }
    }

    /**
     * Listens at a loopback address that nobody else has: browsers give cookies to all ports of a host, and a page that
     * is open still would give them to whoever has taken the port. Who listens at all addresses has the port there too.
     */
    private static HttpServer listenElsewhere(int port) throws IOException {
        InetAddress host = anyLoopback();
        try {
            return HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
        } catch (BindException _) {
            return HttpServer.create(new InetSocketAddress(host, 0), BACKLOG);
        }
    }

    /** One in 127.0.0.0/8, all of which Linux takes for its own; not the usual one, nor a network's or all hosts'. */
    private static InetAddress anyLoopback() {
        SecureRandom random = new SecureRandom();
        return InetAddress.ofLiteral(
                "127.%d.%d.%d".formatted(random.nextInt(1, 255), random.nextInt(1, 255), random.nextInt(1, 255)));
    }

    /** Where it really listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        streams.close();
        server.stop(0);
        metrics.close();
    }

    private void handle(HttpExchange http) {
        try (http) {
            Exchange exchange = new Exchange(http);
            try {
                serve(exchange);
            } catch (PosixException e) {
                refuse(exchange, Problem.of(e), false);
            } catch (RuntimeException e) {
                LOG.error("{} {} failed", http.getRequestMethod(), exchange.rawPath(), e);
                exchange.html(
                        500,
                        Layout.plain(
                                "A defect", Html.tag("p", "See the queen-bee's log. ", Html.link("/", "To the hive"))));
            }
        } catch (IOException e) {
            LOG.debug("a browser has gone: {}", e.getMessage());
        }
    }

    private static Html failure(String why) {
        return Html.all(Html.tag("p", why + "."), Html.tag("p", Html.link("/", "To the hive")));
    }

    private void serve(Exchange exchange) throws IOException {
        String path = exchange.path();
        boolean api = path.equals(API) || path.startsWith(API + "/");
        if (exchange.isOfAnotherSite()) {
            refuse(exchange, Problem.of(403, "a page of another site has sent that"), api);
        } else if (api) {
            withPrincipal(exchange, principal -> api(exchange, principal));
        } else if (path.equals("/metrics")) {
            withPrincipal(
                    exchange,
                    _ -> exchange.send(
                            200, Exposition.MEDIA_TYPE, metrics.text().getBytes(StandardCharsets.UTF_8)));
        } else if (path.equals(Door.LOGIN)) {
            door.login(exchange);
        } else if (path.equals("/logout") && exchange.method().equals("POST")) {
            door.logout(exchange);
        } else if (!assets.serve(exchange)) {
            serveViewer(exchange);
        }
    }

    private static void refuse(Exchange exchange, Problem problem, boolean api) throws IOException {
        if (api) {
            exchange.json(problem.status(), Problem.MEDIA_TYPE, problem);
        } else {
            exchange.html(problem.status(), Layout.plain("That did not work", failure(problem.detail())));
        }
    }

    /** Answers a request of somebody who is logged in or has shown a token. */
    private interface Answer {
        void to(Principal principal) throws IOException;
    }

    private void withPrincipal(Exchange exchange, Answer answer) throws IOException {
        Optional<Principal> principal = door.principal(exchange);
        if (principal.isPresent()) {
            answer.to(principal.get());
        } else {
            exchange.header("WWW-Authenticate", "Bearer");
            exchange.json(401, Problem.MEDIA_TYPE, Problem.of(401, "show a token, or log in"));
        }
    }

    private void api(Exchange exchange, Principal principal) throws IOException {
        ApiResponse response = response(exchange, principal);
        if (!response.allowed().isEmpty()) {
            exchange.header("Allow", String.join(", ", response.allowed()));
        }
        exchange.json(response.status(), response.isProblem() ? Problem.MEDIA_TYPE : JSON, response.body());
    }

    /** Scripts are told in their form also what is wrong with a request that the interface never gets to see. */
    private ApiResponse response(Exchange exchange, Principal principal) throws IOException {
        try {
            return api.call(new ApiRequest(
                    exchange.method(), exchange.rawPath(), exchange.singleQuery(), exchange.body(), principal));
        } catch (PosixException e) {
            return ApiResponse.of(Problem.of(e));
        }
    }

    private void serveViewer(Exchange exchange) throws IOException {
        Optional<Viewer> viewer = door.viewer(exchange);
        if (viewer.isEmpty()) {
            askToLogIn(exchange);
        } else if (exchange.path().equals("/stream")) {
            streams.serve(exchange, () -> door.viewer(exchange).isPresent());
        } else if (exchange.path().equals("/do") && exchange.method().equals("POST")) {
            actions.serve(exchange, viewer.get());
        } else {
            page(exchange, viewer.get());
        }
    }

    /** A page that brings itself up to date is told to go there as a whole. */
    private static void askToLogIn(Exchange exchange) throws IOException {
        if (exchange.requestHeader("HX-Request").isPresent()) {
            exchange.header("HX-Redirect", Door.LOGIN);
            exchange.html(401, "");
        } else {
            exchange.redirect(Door.LOGIN);
        }
    }

    private void page(Exchange exchange, Viewer viewer) throws IOException {
        Optional<Pages.Found> found = pages.find(exchange.path(), viewer);
        if (found.isEmpty()) {
            exchange.html(404, Layout.plain("No such page", failure("the console has no page at this address")));
            return;
        }
        Pages.Found page = found.get();
        Html body = page.page().body(new PageRequest(page.rest(), exchange.query(), viewer));
        // A refresh shows none, and may overtake the page that is to show it.
        Note note = exchange.isRefresh() ? Note.NONE : viewer.session().takeNote();
        exchange.html(
                200,
                Layout.page(pages.visible(viewer), page.path(), exchange.address(), page.page(), body, viewer, note));
    }
}
