package org.beefs.queenbee.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a browser without scripts does with the console: pages, cookies, forms. Each call waits for its own answer. */
public final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern FORM = Pattern.compile("<form [^>]*action=\"/do\".*?</form>", Pattern.DOTALL);
    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\">");

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    public Browser(String address) {
        this.address = URI.create(address);
    }

    /** Gets what is at a path, without following where it may lead. */
    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(address.resolve(path)));
    }

    /** A page; fails when there is none. */
    public String page(String path) {
        HttpResponse<String> response = get(path);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** Begins to read what is at a path, and may take long. */
    public BufferedReader read(String path) {
        InputStream body = send(
                        HttpRequest.newBuilder(address.resolve(path)), HttpResponse.BodyHandlers.ofInputStream())
                .body();
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** Sends a form. */
    public HttpResponse<String> post(String path, Map<String, String> form) {
        String body = form.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(address.resolve(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    /** Whether that let it in. */
    public boolean login(String name, String password) {
        return post("/login", Map.of("name", name, "password", password)).statusCode() == 303;
    }

    /**
     * Presses a button of a page, and answers the page that it is led to.
     *
     * @param label of the button
     * @param target end of what it is to call, such as {@code /desktops/a/drain}
     * @param fields that are filled in
     */
    public String press(String page, String label, String target, Map<String, String> fields) {
        Matcher form = FORM.matcher(page(page));
        while (form.find()) {
            Map<String, String> values = hidden(form.group());
            if (form.group().contains(">" + label + "</button>")
                    && values.getOrDefault("target", "").endsWith(target)) {
                values.putAll(fields);
                HttpResponse<String> done = post("/do", values);
                return page(done.headers().firstValue("Location").orElseThrow());
            }
        }
        throw new AssertionError(page + " has no button " + label + " for " + target);
    }

    /** The word that forms of this session have. */
    public String csrf() {
        return hidden(page("/")).getOrDefault("csrf", "");
    }

    /** Calls the REST interface with further headers, such as a token. */
    public HttpResponse<String> call(String method, String path, String body, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.resolve(path)).method(method, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return send(request);
    }

    @Override
    public void close() {
        client.close();
    }

    private static Map<String, String> hidden(String html) {
        Map<String, String> values = new HashMap<>();
        Matcher input = HIDDEN.matcher(html);
        while (input.find()) {
            values.put(input.group(1), input.group(2));
        }
        return values;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return send(request, HttpResponse.BodyHandlers.ofString());
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request.timeout(PATIENCE).build(), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
