package org.beefs.queenbee.console.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One request of a browser or a script, and the way back. Answers have the headers that keep browsers from doing what
 * pages do not need.
 */
final class Exchange {
    private static final int MOST_BODY = 64 << 10;
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /** What browsers say of requests of the site's own pages, and of the user himself. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final HttpExchange exchange;

    Exchange(HttpExchange exchange) {
        this.exchange = exchange;
        header("Content-Security-Policy", POLICY);
        header("X-Content-Type-Options", "nosniff");
        header("Referrer-Policy", "same-origin");
        header("Cross-Origin-Opener-Policy", "same-origin");
        header("Cross-Origin-Resource-Policy", "same-origin");
        header("Cache-Control", "no-store");
    }

    /** HEAD is answered as GET without its body. */
    String method() {
        return isHead() ? "GET" : exchange.getRequestMethod();
    }

    /**
     * Whether a page of another site has the browser change something. Browsers tell that over HTTPS and to their own
     * machine; otherwise only where the page is from. Scripts tell neither.
     */
    boolean isOfAnotherSite() {
        if (method().equals("GET")) {
            return false;
        }
        Optional<String> site = requestHeader("Sec-Fetch-Site");
        return site.isPresent()
                ? !OWN_SITES.contains(site.get())
                : requestHeader("Origin").filter(origin -> !isOwn(origin)).isPresent();
    }

    private boolean isOwn(String origin) {
        String host = requestHeader("Host").orElse("");
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }

    String rawPath() {
        String path = exchange.getRequestURI().getRawPath();
        return path == null ? "/" : path;
    }

    /** Decoded. */
    String path() {
        return exchange.getRequestURI().getPath() == null
                ? "/"
                : exchange.getRequestURI().getPath();
    }

    /** Path and query as they were sent. */
    String address() {
        String query = exchange.getRequestURI().getRawQuery();
        return rawPath() + (query == null ? "" : "?" + query);
    }

    Map<String, List<String>> query() {
        return parameters(exchange.getRequestURI().getRawQuery());
    }

    /** The last value of each name. */
    Map<String, String> singleQuery() {
        Map<String, String> single = new HashMap<>();
        query().forEach((name, values) -> single.put(name, values.getLast()));
        return single;
    }

    /** The body as a form's fields. */
    Map<String, String> form() throws IOException {
        Map<String, String> single = new HashMap<>();
        parameters(body()).forEach((name, values) -> single.put(name, values.getLast()));
        return single;
    }

    String body() throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
        if (bytes.length > MOST_BODY) {
            throw new PosixException(Errno.EFBIG, "a request has at most %d bytes".formatted(MOST_BODY));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    Optional<String> requestHeader(String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    Optional<String> cookie(String name) {
        return exchange.getRequestHeaders().getOrDefault("Cookie", List.of()).stream()
                .flatMap(header -> Stream.of(header.split(";", -1)))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.substring(name.length() + 1))
                .findFirst();
    }

    /** Whether an open page asks by itself, to be brought up to date. */
    boolean isRefresh() {
        return requestHeader("X-Beefs-Refresh").isPresent();
    }

    /**
     * Whether the browser uses TLS, as the proxy says that ends it. Whoever says so falsely changes only his own
     * cookie.
     */
    boolean isEncrypted() {
        return requestHeader("X-Forwarded-Proto").filter("https"::equals).isPresent();
    }

    /** The browser's address. */
    String from() {
        return exchange.getRemoteAddress().getAddress().getHostAddress();
    }

    void header(String name, String value) {
        exchange.getResponseHeaders().set(name, value);
    }

    void html(int status, String page) throws IOException {
        send(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
    }

    void json(int status, String mediaType, Object body) throws IOException {
        send(status, mediaType, JsonMapper.shared().writeValueAsBytes(body));
    }

    void send(int status, String mediaType, byte[] body) throws IOException {
        header("Content-Type", mediaType);
        boolean empty = isHead() || body.length == 0;
        exchange.sendResponseHeaders(status, empty ? -1 : body.length);
        if (!empty) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Has the browser get another page. */
    void redirect(String to) throws IOException {
        header("Location", to);
        exchange.sendResponseHeaders(303, -1);
    }

    /** Begins an answer without an end. */
    OutputStream stream(String mediaType) throws IOException {
        header("Content-Type", mediaType);
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private boolean isHead() {
        return exchange.getRequestMethod().equals("HEAD");
    }

    private static Map<String, List<String>> parameters(@Nullable String encoded) {
        Map<String, List<String>> parameters = new HashMap<>();
        if (encoded == null || encoded.isEmpty()) {
            return parameters;
        }
        for (String pair : encoded.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            parameters.computeIfAbsent(decode(name), _ -> new ArrayList<>()).add(decode(value));
        }
        return parameters;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new PosixException(Errno.EINVAL, "the address is not understood");
        }
    }
}
