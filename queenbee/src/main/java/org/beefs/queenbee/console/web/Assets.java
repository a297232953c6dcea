package org.beefs.queenbee.console.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Scripts and styles of the jar. */
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

    private Assets() {}

    /** Answers if that is the path of one of them. */
    static boolean serve(Exchange exchange) throws IOException {
        String path = exchange.path();
        String mediaType = path.startsWith(PATH) ? MEDIA_TYPES.get(path.substring(PATH.length())) : null;
        if (mediaType == null) {
            return false;
        }
        try (InputStream in = Assets.class.getResourceAsStream(path.substring(1))) {
            if (in == null) {
                throw new IOException(path + " is not in the jar");
            }
            exchange.header("Cache-Control", "max-age=300");
            exchange.send(200, mediaType, in.readAllBytes());
        }
        return true;
    }
}
