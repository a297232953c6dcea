package org.beefs.honeycomb.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RepeatedFailuresTest {
    private final PosixException full = new PosixException(Errno.ENOSPC, "it is full");

    private final Logger logger = (Logger) LoggerFactory.getLogger(RepeatedFailures.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RepeatedFailures failures = new RepeatedFailures();

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
    void shouldSayOnceThatReplicasCannotBeRemovedUntilTheyCan() {
        failures.removedReplicas(full);
        failures.removedReplicas(full);
        assertThat(said()).containsExactly("removing a replica failed: it is full");

        failures.removedReplicas(null);
        failures.removedReplicas(full);
        assertThat(said()).hasSize(2);
    }

    @Test
    void shouldSayOnceThatRecordsCannotBeWrittenUntilTheyCan() {
        failures.keptRecords(null);
        assertThat(said()).isEmpty();

        failures.keptRecords(full);
        failures.keptRecords(full);
        assertThat(said())
                .singleElement()
                .asString()
                .contains("for a recovery cannot be written")
                .endsWith(": it is full");

        failures.keptRecords(null);
        failures.keptRecords(full);
        assertThat(said()).hasSize(2);
    }

    private List<String> said() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
