package org.beefs.common.rpc.tcp;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.beefs.common.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells why connections were ended, which anybody can cause: the first one at once, and those of the minute after it in
 * one line, so that they push nothing else out of the log. Thread-safe.
 */
final class RefusalLog implements Consumer<String> {
    static final Duration DISTANCE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private final Timers timers;
    private boolean quiet;
    private int number;
    private String last = "";

    RefusalLog(Timers timers) {
        this.timers = timers;
    }

    /** A connection was ended for that reason, which is a sentence for people. */
    @Override
    public synchronized void accept(String sentence) {
        if (quiet) {
            number++;
            last = sentence;
        } else {
            LOG.warn("{}", sentence);
            keepQuiet();
        }
    }

    private synchronized void tell() {
        quiet = false;
        if (number > 0) {
            LOG.warn("{} more such connections within a minute, the last one: {}", number, last);
            number = 0;
            keepQuiet();
        }
    }

    private void keepQuiet() {
        try {
            timers.schedule(DISTANCE, this::tell);
            quiet = true;
        } catch (RejectedExecutionException e) {
            LOG.debug("the network is closed already");
        }
    }
}
