package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ManualTimers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiskTroubleTest {
    private final LogLines lines = new LogLines(DiskTrouble.class.getName());
    private final ManualTimers timers = new ManualTimers();
    private final DiskTrouble trouble = new DiskTrouble(timers);

    @AfterEach
    void stopListening() {
        lines.close();
    }

    @Test
    void shouldSayEachKindOnceAMinute() {
        fails(Errno.ENOSPC, "it is full");
        fails(Errno.ENOSPC, "it is still full");
        fails(Errno.EIO, "it is broken");
        assertThat(lines.warnings())
                .containsExactly(
                        "programs get ENOSPC from this honeycomb: it is full",
                        "programs get EIO from this honeycomb: it is broken");

        timers.advance(DiskTrouble.SILENCE);
        fails(Errno.ENOSPC, "it is full again");
        assertThat(lines.warnings()).hasSize(3).last().asString().contains("it is full again");
    }

    @Test
    void shouldSayNothingOfWhatProgramsDoWrong() {
        fails(Errno.EINVAL, "a negative offset");
        trouble.noticed(new IllegalStateException("a defect"));

        assertThat(lines.warnings()).isEmpty();
    }

    private void fails(Errno errno, String why) {
        trouble.noticed(new PosixException(errno, why));
    }
}
