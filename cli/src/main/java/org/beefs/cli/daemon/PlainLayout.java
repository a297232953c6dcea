package org.beefs.cli.daemon;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.LayoutBase;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.request.RequestIds;

/** Log lines for people, with the id of the request that they concern at the end. Used by the thread that logs. */
final class PlainLayout extends LayoutBase<ILoggingEvent> {
    private final PatternLayout pattern = new PatternLayout();

    PlainLayout() {
        pattern.setPattern("%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %msg%nopex");
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
