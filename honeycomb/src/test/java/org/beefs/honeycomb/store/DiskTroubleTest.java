package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ManualTimers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DiskTroubleTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(DiskTrouble.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final ManualTimers timers = new ManualTimers();
    private final DiskTrouble trouble = new DiskTrouble(timers);

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void shouldSayEachKindOnceAMinute() {
        fails(Errno.ENOSPC, "it is full");
        fails(Errno.ENOSPC, "it is still full");
        fails(Errno.EIO, "it is broken");
        assertThat(said())
                .containsExactly(
                        "programs get ENOSPC from this honeycomb: it is full",
                        "programs get EIO from this honeycomb: it is broken");

        timers.advance(DiskTrouble.SILENCE);
        fails(Errno.ENOSPC, "it is full again");
        assertThat(said()).hasSize(3).last().asString().contains("it is full again");
    }

    @Test
    void shouldSayNothingOfWhatProgramsDoWrong() {
        fails(Errno.EINVAL, "a negative offset");
        trouble.noticed(new IllegalStateException("a defect"));

        assertThat(said()).isEmpty();
    }

    private void fails(Errno errno, String why) {
        trouble.noticed(new PosixException(errno, why));
    }

    private List<String> said() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
