package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.ManualTimers;
import org.beefs.honeycomb.disk.LinuxReplicaFiles;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.disk.UserXattrs;
import org.beefs.honeycomb.memory.MemoryCatalog;
import org.beefs.honeycomb.state.Boot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content that is sent straight from its file, on a real file system. */
class SliceTest {
    private static final int SIZE = 200_000;

    @TempDir
    Path folder;

    private final MemoryCatalog catalog = new MemoryCatalog();
    private LinuxReplicaFiles files;
    private ReplicaStore store;
    private boolean inMemory = true;
    private boolean readable = true;

    @BeforeEach
    void open() throws IOException {
        UserXattrs.require(folder);
        files = LinuxReplicaFiles.open(folder);
        store = store();
        ByteBuf content = Unpooled.directBuffer().writeZero(SIZE - 1).writeByte(7);
        store.write(target(5), 0, false, content).join();
        content.release();
    }

    @AfterEach
    void close() {
        store.close();
        files.close();
    }

    /** One that has not seen the file being written. */
    private ReplicaStore store() {
        ManualTimers timers = new ManualTimers();
        return new ReplicaStore(
                filesOnADiskThatMayFail(),
                catalog,
                new Space(files, timers.clock(), OptionalLong.of(1 << 30), 0, 0),
                new Boot(1, 0),
                StoreFixture.openGate(timers.clock()),
                UnpooledByteBufAllocator.DEFAULT,
                timers.clock(),
                timers,
                Runnable::run,
                Runnable::run,
                1);
    }

    private ReplicaFiles filesOnADiskThatMayFail() {
        return intercepting(ReplicaFiles.class, (method, arguments) -> {
            Object result = method.invoke(files, arguments);
            return result instanceof ReplicaFile file ? onADiskThatMayFail(file) : result;
        });
    }

    private ReplicaFile onADiskThatMayFail(ReplicaFile file) {
        return intercepting(ReplicaFile.class, (method, arguments) -> switch (method.getName()) {
            case "readAtHand" ->
                inMemory ? file.read((ByteBuffer) arguments[0], (long) arguments[1]) : ReplicaFile.NOT_AT_HAND;
            case "read" -> {
                if (!readable) {
                    throw new PosixException(Errno.EIO, "the disk was made to fail");
                }
                yield method.invoke(file, arguments);
            }
            default -> method.invoke(file, arguments);
        });
    }

    private interface Interception {
        @Nullable
        Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T intercepting(Class<T> type, Interception interception) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    try {
                        return interception.of(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                }));
    }

    private Payload read(long offset, int length) {
        return store.readForSending(target(5), offset, length).join();
    }

    @Test
    void shouldAnswerLargeReadsWithASliceUpToTheEndOfTheFile() throws IOException {
        store = store();
        assertThat(read(100_000, 1 << 20)).isInstanceOfSatisfying(Payload.FileSlice.class, slice -> {
            assertThat(slice.offset()).isEqualTo(100_000);
            assertThat(slice.length()).isEqualTo(SIZE - 100_000);
            slice.close();
        });
    }

    @Test
    void shouldCopySmallReadsAndWhatIsBeingWritten() {
        Payload whileWritten = read(0, SIZE);
        assertThat(whileWritten).isInstanceOf(Payload.Bytes.class);
        assertThat(whileWritten.length()).isEqualTo(SIZE);
        whileWritten.close();
        store = store();
        Payload small = read(SIZE - 100, 1 << 20);
        assertThat(small).isInstanceOf(Payload.Bytes.class);
        assertThat(small.length()).isEqualTo(100);
        small.close();
    }

    @Test
    void shouldReadByItselfWhatIsNotInMemory() {
        store = store();
        inMemory = false;
        Payload fromDisk = read(100_000, 1 << 20);
        assertThat(fromDisk).isInstanceOf(Payload.Bytes.class);
        assertThat(fromDisk.length()).isEqualTo(SIZE - 100_000);
        fromDisk.close();
    }

    @Test
    void shouldAnswerThatTheDiskCannotReadALargePiece() {
        store = store();
        inMemory = false;
        readable = false;
        assertThat(errnoOf(() -> read(0, 1 << 20))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldReadNothingFarBeyondTheEnd() {
        store = store();
        Payload beyond = read(7L << 30, 1 << 20);
        assertThat(beyond.length()).isZero();
        beyond.close();
    }

    @Test
    void shouldKeepTheFileOpenUntilTheSliceIsClosed() throws IOException {
        store = store();
        Payload.FileSlice slice = (Payload.FileSlice) read(0, SIZE);
        store.drop(name(5));
        CompletableFuture<Void> quiet = store.close();

        assertThat(quiet).isNotDone();
        ByteBuffer last = ByteBuffer.allocate(1);
        assertThat(slice.channel().read(last, SIZE - 1)).isEqualTo(1);
        assertThat(last.get(0)).isEqualTo((byte) 7);
        slice.close();
        assertThat(quiet).isCompleted();
        assertThat(slice.channel().isOpen()).isFalse();
    }
}
