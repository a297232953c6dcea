package org.beefs.honeybee.jnr;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.mount.Callers;

/**
 * One callback of libfuse: on whose behalf it is, and the waiting for what it asks for. The thread that libfuse calls
 * on waits, as libfuse 2 takes its answer from there. For that thread only.
 *
 * @param uid of the caller
 * @param gid of the caller
 * @param pid the thread that waits for the answer; 0 when the kernel names none
 * @param umask permissions that the caller does not give
 */
record Call(Session session, int uid, int gid, int pid, int umask) {
    /** How long after each look it is looked again whether the caller still wants the answer. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /** What the calls of one mount share. */
    interface Session {
        Callers callers();

        /** Whether the caller that the current thread serves got a signal. */
        boolean isInterrupted();

        /** Whether the mount is being taken away, so that nobody needs answers any more. */
        boolean hasEnded();
    }

    Credentials credentials() {
        return session.callers().credentials(uid, gid, pid);
    }

    /** Whether the caller keeps set-id bits when he changes a file. */
    boolean isPrivileged() {
        return uid == 0;
    }

    boolean isCallerExiting() {
        return session.callers().isExiting(pid);
    }

    /**
     * The result of an operation. A caller who is being killed, or is gone, is waited for no longer: the operation is
     * given up and fails with EINTR. Other signals do not end it.
     */
    <T> T await(CompletableFuture<T> operation) {
        return awaitLooking(operation, () -> {
            if (isUnwanted() && operation.cancel(false)) { // a result that has come meanwhile is taken all the same
                throw givenUp();
            }
        });
    }

    /**
     * As {@link #await(CompletableFuture)}, for an operation that any signal ends. It gets until the next look to end
     * by itself, so that the caller hears if it has succeeded all the same. Afterwards it is cancelled, and undoes by
     * itself what it brings then.
     *
     * @param interruption asks the operation to end, soon and by itself; harmless when it has ended
     */
    <T> T await(CompletableFuture<T> operation, Runnable interruption) {
        AtomicBoolean interrupted = new AtomicBoolean();
        return awaitLooking(operation, () -> {
            boolean asked = interrupted.get();
            if (!asked && session.isInterrupted()) {
                interrupted.set(true);
                interruption.run();
            }
            if (asked || isUnwanted()) {
                interruption.run();
                if (operation.cancel(false)) { // a result that has come meanwhile is taken all the same
                    throw givenUp();
                }
            }
        });
    }

    /** @param look now and then; throws when the operation is waited for no longer */
    private static <T> T awaitLooking(CompletableFuture<T> operation, Runnable look) {
        while (true) {
            try {
                return operation.get(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException running) {
                look.run();
            } catch (ExecutionException failed) {
                throw Failures.toPosix(failed);
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
                operation.cancel(false);
                throw new PosixException(Errno.EINTR, "the driver is ending");
            }
        }
    }

    private boolean isUnwanted() {
        Callers.State state = session.callers().state(pid);
        return session.hasEnded()
                || state == Callers.State.BEING_KILLED
                || (state != Callers.State.ALIVE && session.isInterrupted());
    }

    private static PosixException givenUp() {
        return new PosixException(Errno.EINTR, "nobody waits for the answer any more");
    }
}
