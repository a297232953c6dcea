package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.junit.jupiter.api.Test;

/** The kernel tells once that it could not write something to disk, and takes it for written from then on. */
class SyncTest {
    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldTellAllWhoSyncAtOnceOfAFailureThatTheKernelTellsOneOf() throws Exception {
        fixture.write(target(5), 0, "honey");
        FutureTask<Errno> other = new FutureTask<>(() -> errnoOf(this::sync));
        Thread thread = new Thread(other);
        onFirstSync(() -> {
            thread.start();
            while (thread.getState() != Thread.State.BLOCKED && !other.isDone()) {
                Thread.onSpinWait();
            }
        });

        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);

        assertThat(other.get()).isEqualTo(Errno.EIO);
    }

    /** Has it fail once it has done this. */
    private void onFirstSync(Runnable meanwhile) {
        AtomicBoolean first = new AtomicBoolean(true);
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SYNC && first.getAndSet(false)) {
                meanwhile.run();
                return Errno.EIO;
            }
            return null;
        });
    }

    private void sync() {
        fixture.store.sync(target(5), false).join();
    }
}
