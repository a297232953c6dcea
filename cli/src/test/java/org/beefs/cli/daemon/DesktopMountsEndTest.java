package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.state.MountMemory;
import org.beefs.honeybee.mount.NoMount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DesktopMountsEndTest {
    /** More than there are processors in most machines. */
    private static final int MANY = 200;

    @TempDir
    private Path temporary;

    private final CyclicBarrier allAtOnce = new CyclicBarrier(MANY);
    private final AtomicInteger ended = new AtomicInteger();

    /** Programs use it: its end takes until all others have begun to end. */
    private final class MountInUse extends NoMount {
        MountInUse(Path target) {
            super(target);
        }

        @Override
        public void close() {
            try {
                allAtOnce.await(20, TimeUnit.SECONDS);
                ended.incrementAndGet();
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("not all at once", e);
            }
        }
    }

    @Test
    void shouldWaitForAllMountsAtOnceAtItsEnd() {
        PlacedMounts placed = new PlacedMounts();
        for (int i = 0; i < MANY; i++) {
            Path place = temporary.resolve("hive" + i);
            placed.put(place, new MountInUse(place), MountTable.parse(""));
        }

        DesktopMountsTest.mounts(placed, new MountMemory(temporary.resolve("mounts.json")))
                .close();

        assertThat(ended).hasValue(MANY);
    }
}
