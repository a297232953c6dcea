package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
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
                .isInstanceOf(MemoryFullException.class)
                .hasMessageStartingWith("20 of 100 records have filled the 2048 MB of memory")
                .hasMessageContaining("-Xmx");
    }

    @Test
    void shouldGoOnWhenTheLastCollectionCameAtABadMoment() throws IOException {
        Iterator<Integer> afterCollections =
                List.of(MemoryRoom.SCARCE_PERCENT, 40).iterator();
        RecoveryProgress lucky = new RecoveryProgress(time, new MemoryRoom(2048L << 20, afterCollections::next));
        time.jump(Duration.ofSeconds(1));

        lucky.reached(10, 100);

        assertThat(afterCollections).isExhausted();
    }
}
