package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ManualClock;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.catalog.ScrubStore;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.memory.MemoryCatalog;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.MemoryRecords;
import org.beefs.honeycomb.memory.MemoryScrubStore;
import org.beefs.honeycomb.start.StartupScan;
import org.beefs.honeycomb.state.Boot;
import org.jspecify.annotations.Nullable;

/** A replica store over a disk in memory, with the words that tests use. */
public final class StoreFixture {
    static final long MIB = 1 << 20;
    static final long DISK = 64 * MIB;

    final ManualTimers timers = new ManualTimers();
    final ManualClock clock = timers.clock();
    final MemoryDisk disk;
    final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    MemoryCatalog catalog = new MemoryCatalog();
    final long capacity;
    final long reserve = 8 * MIB;
    long boot;
    ReplicaFiles files;
    Space space;
    WriteGate gate;
    ReplicaStore store;

    StoreFixture() {
        this(4);
    }

    StoreFixture(int openFiles) {
        this(openFiles, DISK);
    }

    /** With half of the disk for the honeycomb. */
    StoreFixture(int openFiles, long size) {
        disk = new MemoryDisk(clock, size);
        capacity = size / 2;
        files = disk.mount();
        space = new Space(files, clock, OptionalLong.of(capacity), reserve, 0);
        boot = 1;
        gate = openGate(clock);
        store = store(openFiles);
    }

    /** A gate under a lease that holds for ever. */
    static WriteGate openGate(Clock clock) {
        WriteGate gate = new WriteGate(clock, List.of());
        gate.lease(Long.MAX_VALUE);
        return gate;
    }

    /** A store over what the fixture has now. */
    ReplicaStore store(int openFiles) {
        return store(openFiles, Runnable::run);
    }

    ReplicaStore store(int openFiles, Executor fencing) {
        return new ReplicaStore(
                files,
                catalog,
                space,
                new Boot(boot, 0),
                gate,
                buffers,
                clock,
                timers,
                Runnable::run,
                fencing,
                openFiles);
    }

    /** Starts anew with the catalog lost. */
    void restart() {
        restart(new MemoryScrubStore());
    }

    /** Starts anew with all of the catalog lost but the checksums. */
    void restart(ScrubStore checksums) {
        catalog = new MemoryCatalog(new MemoryRecords(), checksums);
        files = disk.mount();
        space = new Space(
                files,
                clock,
                OptionalLong.of(capacity),
                reserve,
                StartupScan.run(files, catalog).used());
        boot++;
        gate = openGate(clock);
        store = store(4);
    }

    ReplicaStatus write(ReplicaTarget target, long offset, String text) {
        return write(target, offset, text.getBytes(StandardCharsets.UTF_8));
    }

    ReplicaStatus write(ReplicaTarget target, long offset, byte[] bytes) {
        return withContent(bytes, content -> store.write(target, offset, false, content));
    }

    ReplicaStatus append(ReplicaTarget target, String text) {
        return withContent(text.getBytes(StandardCharsets.UTF_8), content -> store.write(target, 0, true, content));
    }

    private interface Use {
        CompletableFuture<ReplicaStatus> of(ByteBuf content);
    }

    private static ReplicaStatus withContent(byte[] bytes, Use use) {
        ByteBuf content = Unpooled.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes);
        try {
            return use.of(content).join();
        } finally {
            assertThat(content.release()).as("the buffer is the caller's").isTrue();
        }
    }

    String read(ReplicaTarget target, long offset, int length) {
        Payload payload = store.read(target, offset, length).join();
        try {
            return ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        } finally {
            payload.close();
        }
    }

    String read(ReplicaTarget target) {
        return read(target, 0, 1000);
    }

    ReplicaStatus status(ReplicaTarget target) {
        return store.statuses(List.of(target)).join().getFirst();
    }

    @Nullable
    PosixException seal(List<Seal> seals) {
        return store.seal(seals, changed -> {});
    }

    void assertNothingLeaks() {
        assertThat(buffers.metric().usedDirectMemory()).isZero();
        assertThat(buffers.metric().usedHeapMemory()).isZero();
    }

    public static Errno errnoOf(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).as("a failure").isNotNull();
        return Failures.toPosix(thrown).errno();
    }
}
