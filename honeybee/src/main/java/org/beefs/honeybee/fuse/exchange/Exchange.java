package org.beefs.honeybee.fuse.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
import org.beefs.honeybee.fuse.protocol.Origin;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.beefs.honeybee.mount.Opcode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of the kernel and its one answer. The reader decodes it; whoever has the result, on whatever thread,
 * answers. Whoever claims it first answers it; what comes later is dropped.
 */
public final class Exchange {
    /** Length of {@code struct fuse_in_header}. */
    public static final int HEADER = 40;

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final Answer<Long> NOTHING = (reply, unique) -> reply.empty();
    private static final Answer<Errno> ERROR = Reply::error;

    private final Connection connection;
    private final Origin origin;
    private final int opcode;
    private final long unique;
    private final long node;
    private final int uid;
    private final int gid;
    private final int pid;
    private final long began;
    private final AtomicBoolean claimed = new AtomicBoolean();

    private @Nullable RequestBuffer buffer;
    private volatile @Nullable Future<?> cancellable;

    /** Asks the operation to end before its time. */
    private volatile @Nullable Runnable interruption;

    private volatile boolean interrupted;

    /** Reads the header. The origin is released when the request is answered. */
    public Exchange(Connection connection, Origin origin, RequestBuffer buffer) {
        MemorySegment header = buffer.memory();
        this.connection = connection;
        this.origin = origin;
        this.buffer = buffer;
        this.opcode = buffer.opcode();
        this.unique = header.get(JAVA_LONG_UNALIGNED, 8);
        this.node = header.get(JAVA_LONG_UNALIGNED, 16);
        this.uid = header.get(JAVA_INT_UNALIGNED, 24);
        this.gid = header.get(JAVA_INT_UNALIGNED, 28);
        this.pid = header.get(JAVA_INT_UNALIGNED, 32);
        this.began = connection.meter().now();
    }

    public int opcode() {
        return opcode;
    }

    /** The kernel's number of the request; never used twice on a mount. */
    long unique() {
        return unique;
    }

    /** The inode that the request is about. */
    public long inode() {
        return HiveRoot.inode(node);
    }

    /** The number by which the kernel knows the inode that the request is about. */
    public long node() {
        return node;
    }

    /** The thread that waits for the answer; 0 when the kernel names none. */
    public int pid() {
        return pid;
    }

    /**
     * The caller on whose behalf it is, with supplementary groups. Only while the request is being decoded: the caller
     * is alive then.
     */
    public Credentials caller() {
        return connection.callers().credentials(uid, gid, pid);
    }

    /** The caller without supplementary groups, which have to be looked for: for what does not depend on them. */
    public Credentials user() {
        return Credentials.newBuilder().setUid(uid).setGid(gid).build();
    }

    /**
     * Whether the thread that waits will look at no answer, and can be killed no more. Only while the request is being
     * decoded.
     */
    public boolean isCallerExiting() {
        return connection.callers().isExiting(pid);
    }

    /** Whether the caller keeps set-id bits when he changes a file: has CAP_FSETID, as far as the request tells. */
    public boolean isPrivileged() {
        return uid == 0;
    }

    /** Takes the buffer that holds the request away from its reader, who goes on with another one. */
    public RequestBuffer takeBuffer() {
        RequestBuffer taken = buffer();
        buffer = null;
        return taken;
    }

    /** The buffer that holds the request, for as long as it is being decoded. */
    public RequestBuffer buffer() {
        RequestBuffer present = buffer;
        if (present == null) {
            throw new IllegalStateException("the request's buffer was taken");
        }
        return present;
    }

    public boolean hasBuffer() {
        return buffer != null;
    }

    /** Answers with the result of an operation as soon as it is there. */
    public <T> void answer(CompletableFuture<T> result, Answer<T> answer) {
        if (result.state() == Future.State.SUCCESS) {
            deliver(result.resultNow(), answer);
            return;
        }
        if (!result.isDone()) {
            if (answer.isCancellable()) {
                cancellable = result;
            }
            connection.interrupts().begin(this);
        }
        result.whenComplete((value, failure) -> {
            connection.interrupts().end(this);
            complete(value, failure, answer);
        });
    }

    /**
     * As {@link #answer(CompletableFuture, Answer)}, for an operation that any signal ends.
     *
     * @param interruption asks the operation to end, soon and by itself; harmless when it has ended
     */
    public <T> void answer(CompletableFuture<T> result, Answer<T> answer, Runnable interruption) {
        this.interruption = interruption;
        answer(result, answer);
    }

    /** Answers that the operation is done and brought nothing. */
    public void succeed() {
        if (claim()) {
            send(NOTHING, unique);
        }
    }

    public void fail(Errno errno) {
        if (claim()) {
            send(ERROR, errno);
        }
    }

    /** Answers with the errno that stands for what was thrown; the unforeseen is logged and becomes EIO. */
    public void fail(Throwable thrown) {
        fail(thrown, ERROR);
    }

    /** Ends a request that gets no answer. */
    public void dropped() {
        if (claim()) {
            origin.release();
        }
    }

    boolean isAnswered() {
        return claimed.get();
    }

    /** The caller got a signal. Most operations go on all the same. */
    void interrupt() {
        Runnable end = interruption;
        if (end != null) {
            interrupted = true;
            end.run();
        }
    }

    /** Whether the operation was asked to end. */
    boolean isInterrupted() {
        return interrupted;
    }

    /**
     * Answers EINTR at once. What an operation brings later that cannot be cancelled is given back; one that can be has
     * either brought its result by now, which is delivered, or never will.
     */
    void abandon() {
        interrupt();
        connection.interrupts().end(this);
        Future<?> operation = cancellable;
        if (operation == null) {
            fail(Errno.EINTR);
        } else {
            operation.cancel(false);
        }
    }

    private <T> void complete(T value, @Nullable Throwable failure, Answer<T> answer) {
        if (failure != null) {
            fail(failure, answer);
        } else {
            deliver(value, answer);
        }
    }

    private <T> void deliver(T value, Answer<T> answer) {
        if (!claim() || !send(answer, value)) {
            answer.undelivered(value);
        }
    }

    private void fail(Throwable thrown, Answer<?> answer) {
        if (claim()) {
            send(answer::sendFailure, errnoOf(thrown));
        }
    }

    private boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Sends the answer; only for whoever has claimed the exchange. */
    private <T> boolean send(Answer<T> answer, T value) {
        Reply reply = connection.reply(origin, unique);
        try {
            return answer.send(reply, value);
        } catch (Throwable defect) {
            reply.error(errnoOf(defect));
            return false;
        } finally {
            origin.release();
            answered();
        }
    }

    private void answered() {
        Opcode name = Opcode.of(opcode);
        if (name != null) {
            connection.meter().answered(name, began);
        }
    }

    /**
     * The errno that the kernel is told. ENOSYS would make it stop asking, for the whole mount; only the dispatcher may
     * say so.
     */
    private Errno errnoOf(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof PosixException known) {
            return known.errno() == Errno.ENOSYS ? Errno.EOPNOTSUPP : known.errno();
        }
        if (cause instanceof CancellationException) {
            return Errno.EINTR;
        }
        Opcode name = Opcode.of(opcode);
        LOG.error("{} of inode {} failed", name == null ? "opcode " + opcode : name, inode(), cause);
        return Errno.EIO;
    }
}
