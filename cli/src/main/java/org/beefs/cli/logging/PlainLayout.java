package org.beefs.cli.logging;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.LayoutBase;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.request.RequestIds;

/** Log lines for people, with the id of the request that they concern at the end. Used by the thread that logs. */
final class PlainLayout extends LayoutBase<ILoggingEvent> {
    /**
     * One line for each message: names of files and users in it can neither forge another line nor command a terminal.
     */
    private static final String PATTERN =
            "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %replace(%msg){'[\\p{Cntrl}\\u0080-\\u009f\\u202a-\\u202e\\u2066-\\u2069]', '?'}%nopex";

    private final PatternLayout pattern = new PatternLayout();

    PlainLayout() {
        pattern.setPattern(PATTERN);
    }

    @Override
    public void setContext(Context context) {
        super.setContext(context);
        pattern.setContext(context);
    }

    @Override
    public void start() {
        pattern.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        long request = CurrentRequest.id();
        String id = request == CurrentRequest.NONE ? "" : " (request " + RequestIds.text(request) + ")";
        String failure =
                event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
        return pattern.doLayout(event) + id + "\n" + failure;
    }
}
