package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.Await;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.junit.jupiter.api.Test;

/** The kernel tells once that it could not write something to disk, and takes it for written from then on. */
class SyncTest {
    private static final int OPEN_FILES = 4;

    private final StoreFixture fixture = new StoreFixture(OPEN_FILES);

    @Test
    void shouldTellAllWhoSyncAtOnceOfAFailureThatTheKernelTellsOneOf() throws Exception {
        fixture.write(target(5), 0, "honey");
        FutureTask<Errno> other = new FutureTask<>(() -> errnoOf(this::sync));
        Thread thread = new Thread(other);
        onFirstSync(() -> {
            thread.start();
            Await.until("the other syncs, too", () -> thread.getState() == Thread.State.BLOCKED || other.isDone());
        });

        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);

        assertThat(other.get()).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldNotBelieveContentThatWasNotWrittenThoughItsFileWasClosedMeanwhile() {
        ReplicaStatus committed = fixture.write(target(5), 0, "honey");
        onFirstSync(() -> {});
        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);
        useMoreThanStayOpen();

        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);

        Seal seal = Seal.newBuilder()
                .setReplica(name(5))
                .setVersion(3)
                .setSize(committed.getSize())
                .setMtime(committed.getMtime())
                .build();
        assertThat(Objects.requireNonNull(fixture.seal(List.of(seal))).errno()).isEqualTo(Errno.EIO);
        assertThat(fixture.status(target(5)).getVersion()).isZero();
    }

    @Test
    void shouldBelieveTheReplicaThatTookThePlaceOfOneThatWasNotWritten() {
        fixture.write(target(5), 0, "honey");
        onFirstSync(() -> {});
        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);
        useMoreThanStayOpen();
        fixture.store.drop(name(5));
        fixture.store.arrivals().expect(Fetch.newBuilder().setReplica(name(5)).build());

        fixture.write(target(5), 0, "wax");

        sync();
    }

    @Test
    void shouldNotLeaveTheFolderInOrderWhenContentWasNotWritten() {
        fixture.write(target(5), 0, "honey");
        onFirstSync(() -> {});
        assertThat(fixture.store.isInOrder()).isTrue();

        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);

        assertThat(fixture.store.isInOrder()).isFalse();
    }

    /** Of the content nothing is known to be wrong. */
    @Test
    void shouldSyncAgainWhatHadNoDescriptorLeftForItsFolder() {
        fixture.write(target(5), 0, "honey");
        AtomicInteger syncs = failFirstOfFolder(Errno.ENFILE);
        assertThat(errnoOf(this::sync)).isEqualTo(Errno.ENFILE);

        sync();

        assertThat(syncs).as("of content and folder, twice each").hasValue(4);
        assertThat(fixture.store.isInOrder()).isTrue();
    }

    @Test
    void shouldNotBelieveContentWhoseFolderCouldNotBeWritten() {
        fixture.write(target(5), 0, "honey");
        failFirstOfFolder(Errno.EIO);
        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);

        assertThat(errnoOf(this::sync)).isEqualTo(Errno.EIO);
    }

    private void useMoreThanStayOpen() {
        for (int inode = 10; inode <= 10 + OPEN_FILES; inode++) {
            fixture.write(target(inode), 0, "wax");
        }
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

    /** Has the first sync of a folder fail, which follows that of content. Answers how many syncs there were. */
    private AtomicInteger failFirstOfFolder(Errno failure) {
        AtomicInteger syncs = new AtomicInteger();
        fixture.disk.setFaults(
                operation -> operation == Operation.SYNC && syncs.incrementAndGet() == 2 ? failure : null);
        return syncs;
    }

    private void sync() {
        fixture.store.sync(target(5), false).join();
    }
}
