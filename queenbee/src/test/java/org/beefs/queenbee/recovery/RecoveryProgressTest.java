package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.Test;

class RecoveryProgressTest {
    private final ManualTime time = new ManualTime();
    private int percentUsed;
    private final RecoveryProgress progress =
            new RecoveryProgress(time, new MemoryRoom(2048L << 20, () -> percentUsed));

    @Test
    void shouldEndWithASentenceBeforeTheMemoryIsUsedUp() throws IOException {
        percentUsed = MemoryRoom.SCARCE_PERCENT - 1;
        time.jump(Duration.ofSeconds(1));
        progress.reached(10, 100);

        percentUsed = MemoryRoom.SCARCE_PERCENT;
        time.jump(Duration.ofSeconds(1));
        assertThatThrownBy(() -> progress.reached(20, 100))
                .isInstanceOf(StateException.class)
                .hasMessageStartingWith("20 of 100 records have filled the 2048 MB of memory")
                .hasMessageContaining("-Xmx");
    }
}
