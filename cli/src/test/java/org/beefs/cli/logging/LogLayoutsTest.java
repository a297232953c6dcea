package org.beefs.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.request.CurrentRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogLayoutsTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void shouldWriteAnObjectInEachLine() {
        String line = laidOut(new JsonLayout("desktop", "desktop1"), "a \"name\"\nof two lines", null, 0xAB);

        assertThat(line).endsWith("}\n").hasLineCount(1);
        JsonNode json = JsonMapper.shared().readTree(line);
        assertThat(json.propertyNames())
                .containsExactly("time", "level", "role", "desktop", "logger", "thread", "message", "request");
        assertThat(json.get("time").asString()).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(json.get("level").asString()).isEqualTo("WARN");
        assertThat(json.get("logger").asString()).isEqualTo("org.beefs.Some");
        assertThat(json.get("message").asString()).isEqualTo("a \"name\"\nof two lines");
        assertThat(json.get("request").asString()).isEqualTo("00000000000000ab");
    }

    @Test
    void shouldLeaveOutWhatThereIsNot() {
        JsonNode json = JsonMapper.shared()
                .readTree(laidOut(new JsonLayout("queenbee", null), "hello", new IllegalStateException("why"), 0));

        assertThat(json.has("desktop")).isFalse();
        assertThat(json.has("request")).isFalse();
        assertThat(json.get("exception").asString()).startsWith("java.lang.IllegalStateException: why");
    }

    @Test
    void shouldEndALineForPeopleWithTheRequest() {
        assertThat(laidOut(new PlainLayout(), "hello", null, 0xAB))
                .endsWith(" WARN  [a thread] Some: hello (request 00000000000000ab)\n");
        assertThat(laidOut(new PlainLayout(), "hello", null, 0)).endsWith("Some: hello\n");
        assertThat(laidOut(new PlainLayout(), "hello", new IllegalStateException("why"), 0))
                .contains("Some: hello\njava.lang.IllegalStateException: why\n");
    }

    private String laidOut(
            LayoutBase<ILoggingEvent> layout, String message, @Nullable Throwable failure, long request) {
        LoggingEvent event =
                new LoggingEvent("", context.getLogger("org.beefs.Some"), Level.WARN, message, failure, null);
        event.setInstant(Instant.parse("2026-01-02T03:04:05Z"));
        event.setThreadName("a thread");
        layout.setContext(context);
        layout.start();
        List<String> lines = new ArrayList<>();
        CurrentRequest.run(request, () -> lines.add(layout.doLayout(event)));
        return lines.getFirst();
    }
}
