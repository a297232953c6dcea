package org.beefs.honeycomb.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.DataReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnsentTest {
    private static final int BOUND = 1000;

    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private final Backlog all = new Backlog(BOUND);
    private final Unsent unsent = new Unsent(all);

    @AfterEach
    void nothingIsCountedOrHeldAnyMore() {
        assertThat(all.left()).isEqualTo(BOUND);
        assertThat(buffers.metric().usedDirectMemory()).isZero();
    }

    @Test
    void shouldCountAnAnswerUntilItIsClosed() {
        Payload first = read(unsent, 200).join().payload();
        assertThat(first.length()).isEqualTo(200);
        assertThat(errno(read(unsent, 200))).isEqualTo(Errno.EAGAIN);

        first.close();

        read(unsent, 200).join().payload().close();
    }

    /** So those who are slow do not shut others out. */
    @Test
    void shouldLeaveSomethingForOthersHoweverManyAreSlow() {
        Deque<Payload> held = new ArrayDeque<>();
        for (int i = 0; i < 8; i++) {
            Unsent slow = new Unsent(all);
            CompletableFuture<Message<DataReply>> answer = read(slow, 10);
            while (!answer.isCompletedExceptionally()) {
                held.add(answer.join().payload());
                answer = read(slow, 10);
            }
        }
        assertThat(held).as("much of the memory is used").hasSizeGreaterThan(70);

        read(unsent, 10).join().payload().close();
        held.forEach(Payload::close);
    }

    @Test
    void shouldCountWhatTheAnswerHasAndNotWhatItMightHave() {
        Payload held = unsent.answer(250, () -> answer(10)).join().payload();

        read(unsent, 190).join().payload().close();

        held.close();
    }

    @Test
    void shouldNotCountWhatTakesNoMemory(@TempDir Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(Files.createFile(folder.resolve("file")))) {
            Payload slice = new Payload.FileSlice(file, 0, 250, () -> {});
            var answer = new Message<>(DataReply.getDefaultInstance(), slice);

            assertThat(unsent.answer(250, () -> CompletableFuture.completedFuture(answer)))
                    .isCompletedWithValue(answer);
        }
    }

    @Test
    void shouldNotCountFailures() {
        var failed = new PosixException(Errno.EIO, "made to fail");

        assertThat(errno(unsent.answer(250, () -> CompletableFuture.failedFuture(failed))))
                .isEqualTo(Errno.EIO);
        assertThat(errno(unsent.answer(250, () -> {
                    throw failed;
                })))
                .isEqualTo(Errno.EIO);
    }

    @Test
    void shouldAnswerWhatNeedsNoRoomHoweverMuchWaits() {
        Payload own = read(unsent, 200).join().payload();
        Payload others = read(new Unsent(all), 200).join().payload();

        assertThat(errno(read(unsent, 1))).isEqualTo(Errno.EAGAIN);
        assertThat(read(unsent, 0)).isCompleted();

        own.close();
        others.close();
    }

    private CompletableFuture<Message<DataReply>> read(Unsent by, int bytes) {
        return by.answer(bytes, () -> answer(bytes));
    }

    private CompletableFuture<Message<DataReply>> answer(int bytes) {
        Payload content = bytes == 0
                ? Payload.NONE
                : new Payload.Bytes(buffers.directBuffer(bytes).writeZero(bytes));
        return CompletableFuture.completedFuture(new Message<>(DataReply.getDefaultInstance(), content));
    }

    private static Errno errno(CompletableFuture<Message<DataReply>> answer) {
        assertThat(answer).isCompletedExceptionally();
        return Failures.toPosix(answer.exceptionNow()).errno();
    }
}
