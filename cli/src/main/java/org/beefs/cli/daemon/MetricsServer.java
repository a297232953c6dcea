package org.beefs.cli.daemon;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.config.Addresses;
import org.beefs.common.metrics.Exposition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells Prometheus what a desktop does, at {@code /metrics}, to whoever can reach it. One answer at a time. */
final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";

    /** Connections that wait to be taken. */
    private static final int BACKLOG = 16;

    private static final Logger LOG = LoggerFactory.getLogger(MetricsServer.class);

    private final HttpServer server;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("beefs-metrics").factory());
    private final Exposition exposition;

    private MetricsServer(HttpServer server, Exposition exposition) {
        this.server = server;
        this.exposition = exposition;
    }

    /** Begins to answer; null when the address cannot be used: a desktop is worth more than what it tells of itself. */
    static @Nullable MetricsServer open(InetSocketAddress address, Exposition exposition) {
        try {
            HttpServer http =
                    HttpServer.create(new InetSocketAddress(address.getHostString(), address.getPort()), BACKLOG);
            MetricsServer server = new MetricsServer(http, exposition);
            http.createContext(PATH, server::answer);
            http.setExecutor(server.thread);
            http.start();
            LOG.info("metrics are at http://{}{}", Addresses.format(http.getAddress()), PATH);
            return server;
        } catch (IOException e) {
            LOG.error(
                    "cannot tell metrics at {}: {}; all else works. See who has the port (ss -ltnp), or choose another metrics.listen",
                    Addresses.format(address),
                    e.getMessage());
            exposition.close();
            return null;
        }
    }

    /** Where it really listens. */
    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
        exposition.close();
    }

    private void answer(HttpExchange http) throws IOException {
        try (http) {
            if (!http.getRequestURI().getPath().equals(PATH)) {
                http.sendResponseHeaders(404, -1);
            } else if (!http.getRequestMethod().equals("GET")) {
                http.getResponseHeaders().set("Allow", "GET");
                http.sendResponseHeaders(405, -1);
            } else {
                byte[] text = exposition.text().getBytes(StandardCharsets.UTF_8);
                http.getResponseHeaders().set("Content-Type", Exposition.MEDIA_TYPE);
                http.sendResponseHeaders(200, text.length);
                http.getResponseBody().write(text);
            }
        }
    }
}
