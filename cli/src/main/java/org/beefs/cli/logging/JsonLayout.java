package org.beefs.cli.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.beefs.cli.view.Json;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.request.RequestIds;
import org.jspecify.annotations.Nullable;

/**
 * Log lines for programs: an object in each line. Its fields are an interface, described in docs/OPERATIONS.md: some
 * are added, none is renamed. Used by the thread that logs.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    private final String role;
    private final @Nullable String desktop;

    JsonLayout(String role, @Nullable String desktop) {
        this.role = role;
        this.desktop = desktop;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        Map<String, String> line = new LinkedHashMap<>();
        line.put("time", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        line.put("role", role);
        if (desktop != null) {
            line.put("desktop", desktop);
        }
        line.put("logger", event.getLoggerName());
        line.put("thread", event.getThreadName());
        line.put("message", event.getFormattedMessage());
        long request = CurrentRequest.id();
        if (request != CurrentRequest.NONE) {
            line.put("request", RequestIds.text(request));
        }
        if (event.getThrowableProxy() != null) {
            line.put("exception", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return Json.line(line) + "\n";
    }
}
