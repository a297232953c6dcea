package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.ProductionOnly;

/**
 * Runs a program that sends a descriptor over a socket which it inherits and whose number it finds in a variable of its
 * environment. Java's own way to start programs closes everything but three descriptors; so the socket is the program's
 * standard error as well, and what it says there arrives between.
 */
@ProductionOnly
public final class DescriptorSender {
    private static final int STANDARD_ERROR = 2;
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 02000001;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int MOST_TEXT = 64 << 10;
    private static final int MICROS_PER_SECOND = 1_000_000;

    /** How long to wait for the end of a program that was killed. */
    private static final Duration DYING = Duration.ofSeconds(1);

    /**
     * Length of {@code struct msghdr} with 64-bit pointers, and places in it: of vectors, their count, control data,
     * its length.
     */
    private static final int MSGHDR = 56;

    private static final int MSG_IOV = 16;
    private static final int MSG_IOVLEN = 24;
    private static final int MSG_CONTROL = 32;
    private static final int MSG_CONTROLLEN = 40;

    /** A {@code struct cmsghdr} (length, level, type) with one descriptor, and its padding. */
    private static final int CONTROL = 24;

    private static final int CMSG_LEVEL = 8;
    private static final int CMSG_TYPE = 12;
    private static final int CMSG_DATA = 16;

    private final int socket;

    /** When the program must have ended, by {@link System#nanoTime}. */
    private final long end;

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private OptionalInt descriptor = OptionalInt.empty();

    private DescriptorSender(int socket, Duration patience) {
        this.socket = socket;
        this.end = System.nanoTime() + patience.toNanos();
    }

    /**
     * What the program sent.
     *
     * @param descriptor the caller's to close; none when the program failed
     * @param errors what it said
     */
    public record Sent(OptionalInt descriptor, String errors) {}

    /**
     * Runs the program to its end, with nothing in its environment but PATH and the variable. Fails with IOException
     * when it cannot be started, or has not ended within the time.
     */
    public static Sent run(List<String> command, String variable, Duration patience) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(JAVA_INT, 2);
            check("socketpair", Libc.socketpair(AF_UNIX, SOCK_STREAM_CLOEXEC, 0, pair));
            int ours = pair.getAtIndex(JAVA_INT, 0);
            int theirs = pair.getAtIndex(JAVA_INT, 1);
            try {
                DescriptorSender sender = new DescriptorSender(ours, patience);
                int pid;
                try {
                    pid = spawn(arena, command, variable, theirs);
                } finally {
                    Libc.close(theirs);
                }
                return sender.receive(arena, command, pid);
            } finally {
                Libc.close(ours);
            }
        }
    }

    private static int spawn(Arena arena, List<String> command, String variable, int socket) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        environment.put(variable, Integer.toString(STANDARD_ERROR));
        MemorySegment pid = arena.allocate(JAVA_INT);
        int result = Libc.spawn(
                pid,
                socket,
                STANDARD_ERROR,
                strings(arena, command),
                strings(
                        arena,
                        environment.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .toList()));
        if (result == -Errno.ENOENT.number()) {
            throw new IOException("there is no " + command.getFirst() + " here");
        }
        check("starting " + command.getFirst(), result);
        return pid.get(JAVA_INT, 0);
    }

    private static MemorySegment strings(Arena arena, List<String> texts) {
        MemorySegment pointers = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            pointers.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        return pointers;
    }

    private Sent receive(Arena arena, List<String> command, int pid) throws IOException {
        CompletableFuture<Boolean> success = success(pid);
        boolean ended = receiveAll(arena) && isDone(success, left());
        if (!ended) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            isDone(success, DYING.toNanos());
        }
        boolean succeeded = ended && success.join();
        if (!succeeded) {
            descriptor.ifPresent(Libc::close);
        }
        if (!ended) {
            throw new IOException(command.getFirst() + " did not end in time");
        }
        return new Sent(
                succeeded ? descriptor : OptionalInt.empty(),
                text.toString(StandardCharsets.UTF_8).strip());
    }

    private long left() {
        return end - System.nanoTime();
    }

    /** Whether a program succeeds, when it has ended; also after nobody waits for it, so that nothing is left of it. */
    private static CompletableFuture<Boolean> success(int pid) {
        CompletableFuture<?> ended = ProcessHandle.of(pid)
                .map(ProcessHandle::onExit)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
        return ended.thenApply(_ -> hasSucceeded(pid));
    }

    private static boolean hasSucceeded(int pid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(JAVA_INT);
            int result;
            do {
                result = Libc.waitpid(pid, status, 0);
            } while (result == -Errno.EINTR.number());
            return result == pid && status.get(JAVA_INT, 0) == 0;
        }
    }

    private static boolean isDone(CompletableFuture<?> future, long withinNanos) {
        try {
            future.get(withinNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Receives until the program and all that it started have closed their end. False when that fails, or is late. */
    private boolean receiveAll(Arena arena) {
        MemorySegment time = arena.allocate(16, 8);
        MemorySegment content = arena.allocate(4096);
        MemorySegment vector = arena.allocate(16, 8);
        vector.set(ADDRESS, 0, content);
        vector.set(JAVA_LONG, 8, content.byteSize());
        MemorySegment control = arena.allocate(CONTROL, 8);
        MemorySegment message = arena.allocate(MSGHDR, 8);
        message.set(ADDRESS, MSG_IOV, vector);
        message.set(JAVA_LONG, MSG_IOVLEN, 1);
        message.set(ADDRESS, MSG_CONTROL, control);
        while (true) {
            long micros = left() / 1000;
            time.set(JAVA_LONG, 0, micros / MICROS_PER_SECOND);
            time.set(JAVA_LONG, 8, micros % MICROS_PER_SECOND);
            if (micros <= 0 || Libc.setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, time, 16) < 0) {
                return false;
            }
            message.set(JAVA_LONG, MSG_CONTROLLEN, CONTROL);
            long length = Libc.recvmsg(socket, message, MSG_CMSG_CLOEXEC);
            if (length == -Errno.EINTR.number()) {
                continue;
            }
            if (length <= 0) {
                return length == 0;
            }
            take(content, length, control, message.get(JAVA_LONG, MSG_CONTROLLEN));
        }
    }

    /** A descriptor comes with one byte that says nothing, which is the last one, behind what was said before. */
    private void take(MemorySegment content, long length, MemorySegment control, long controlLength) {
        boolean sent = controlLength >= CMSG_DATA + Integer.BYTES
                && control.get(JAVA_INT, CMSG_LEVEL) == SOL_SOCKET
                && control.get(JAVA_INT, CMSG_TYPE) == SCM_RIGHTS;
        if (sent) {
            descriptor.ifPresent(Libc::close);
            descriptor = OptionalInt.of(control.get(JAVA_INT, CMSG_DATA));
        }
        if (text.size() < MOST_TEXT) {
            text.writeBytes(content.asSlice(0, sent ? length - 1 : length).toArray(JAVA_BYTE));
        }
    }

    private static void check(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + " failed with " + Errno.of(-result));
        }
    }
}
