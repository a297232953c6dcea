package org.beefs.queenbee.console.web;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** Scripts and styles of the jar. Read once: after an upgrade another build lies where this process's jar was. */
final class Assets {
    private static final String PATH = "/assets/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "console.js", SCRIPT,
            "htmx.min.js", SCRIPT,
            "uPlot.iife.min.js", SCRIPT,
            "console.css", STYLE,
            "icon.svg", "image/svg+xml",
            "uPlot.min.css", STYLE);

    private final Map<String, byte[]> contents = MEDIA_TYPES.keySet().stream().collect(toMap(identity(), Assets::read));

    private static byte[] read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream("assets/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers if that is the path of one of them. */
    boolean serve(Exchange exchange) throws IOException {
        String path = exchange.path();
        String name = path.startsWith(PATH) ? path.substring(PATH.length()) : "";
        String mediaType = MEDIA_TYPES.get(name);
        byte[] content = contents.get(name);
        if (mediaType == null || content == null) {
            return false;
        }
        exchange.header("Cache-Control", "max-age=300");
        exchange.send(200, mediaType, content);
        return true;
    }
}
