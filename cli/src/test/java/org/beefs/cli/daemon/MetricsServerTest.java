package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.beefs.common.metrics.Exposition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private final Exposition exposition = new Exposition();
    private final HttpClient client = HttpClient.newHttpClient();
    private final MetricsServer server = Objects.requireNonNull(
            MetricsServer.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), exposition));

    @BeforeEach
    void declare() {
        exposition.gauge("beefs_mounts", "Where the hive is mounted", () -> 2);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void shouldAnswerPrometheus() throws Exception {
        HttpResponse<String> answer = ask("/metrics", "GET");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains(Exposition.MEDIA_TYPE);
        assertThat(answer.body()).contains("beefs_mounts 2.0\n").endsWith("# EOF\n");
    }

    @Test
    void shouldAnswerNothingElse() throws Exception {
        assertThat(ask("/", "GET").statusCode()).isEqualTo(404);
        assertThat(ask("/metrics/more", "GET").statusCode()).isEqualTo(404);
        assertThat(ask("/metrics", "POST").statusCode()).isEqualTo(405);
    }

    /** Any user's program can have the port: the desktop is to have its honeycomb and its mounts all the same. */
    @Test
    void shouldDoWithoutAnAddressThatItCannotHave() {
        assertThat(MetricsServer.open(server.address(), new Exposition())).isNull();
    }

    private HttpResponse<String> ask(String path, String method) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
