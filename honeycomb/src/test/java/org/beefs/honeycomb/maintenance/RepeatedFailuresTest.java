package org.beefs.honeycomb.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepeatedFailuresTest {
    private final PosixException full = new PosixException(Errno.ENOSPC, "it is full");

    private final LogLines lines = new LogLines(RepeatedFailures.class.getName());
    private final RepeatedFailures failures = new RepeatedFailures();

    @AfterEach
    void stopListening() {
        lines.close();
    }

    @Test
    void shouldSayOnceThatReplicasCannotBeRemovedUntilTheyCan() {
        failures.removedReplicas(full);
        failures.removedReplicas(full);
        assertThat(lines.warnings()).containsExactly("removing a replica failed: it is full");

        failures.removedReplicas(null);
        failures.removedReplicas(full);
        assertThat(lines.warnings()).hasSize(2);
    }

    @Test
    void shouldSayOnceThatRecordsCannotBeWrittenUntilTheyCan() {
        failures.keptRecords(null);
        assertThat(lines.warnings()).isEmpty();

        failures.keptRecords(full);
        failures.keptRecords(full);
        assertThat(lines.warnings())
                .singleElement()
                .asString()
                .contains("for a recovery cannot be written")
                .endsWith(": it is full");

        failures.keptRecords(null);
        failures.keptRecords(full);
        assertThat(lines.warnings()).hasSize(2);
    }
}
