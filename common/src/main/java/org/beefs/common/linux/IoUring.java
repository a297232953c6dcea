package org.beefs.common.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.beefs.common.posix.Errno;

/**
 * An io_uring: submissions go in, completions come out, with one system call for many of both. It belongs to the thread
 * that {@link #enable enables} it; only {@link #wake} is for all threads. Submissions have 128 bytes.
 */
public final class IoUring implements AutoCloseable {
    private static final int SUBMISSION = 128;
    private static final int COMPLETION = 16;

    /**
     * Length of {@code struct io_uring_params}, and places in it: of flags, features, and the offsets of what the
     * kernel shares.
     */
    private static final int PARAMS = 120;

    private static final int COMPLETION_ENTRIES = 4;
    private static final int FLAGS = 8;
    private static final int FEATURES = 20;
    private static final int SUBMISSION_OFFSETS = 40;
    private static final int COMPLETION_OFFSETS = 80;

    private static final int SETUP_CQSIZE = 1 << 3;
    private static final int SETUP_R_DISABLED = 1 << 6;
    private static final int SETUP_SUBMIT_ALL = 1 << 7;
    private static final int SETUP_TASKRUN_FLAG = 1 << 9;
    private static final int SETUP_SQE128 = 1 << 10;
    private static final int SETUP_SINGLE_ISSUER = 1 << 12;
    private static final int SETUP_DEFER_TASKRUN = 1 << 13;
    private static final int SETUP_NO_SQARRAY = 1 << 16;

    private static final int FEATURE_NO_IOWAIT = 1 << 17;

    private static final int ENTER_GETEVENTS = 1;
    private static final int ENTER_NO_IOWAIT = 1 << 7;

    private static final long OFFSET_RINGS = 0;
    private static final long OFFSET_SUBMISSIONS = 0x10000000L;

    private static final int SQ_TASKRUN = 1 << 2;

    private static final int REGISTER_ENABLE_RINGS = 12;
    private static final int REGISTER_SEND_MSG_RING = 31;
    private static final int OP_MSG_RING = 40;

    /** Access to words that the kernel writes too. */
    private static final VarHandle SHARED = JAVA_INT.varHandle();

    private final int descriptor;
    private final MemorySegment params;
    private final int enterFlags;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment wakeUp;

    // Of the thread that has enabled it.
    private MemorySegment rings = MemorySegment.NULL;
    private MemorySegment submissions = MemorySegment.NULL;
    private long submissionTail;
    private long completionHead;
    private long completionTail;
    private long flags;
    private long completions;
    private int submissionMask;
    private int completionMask;
    private int prepared;
    private int tail;
    private int head;

    /** Guarded by this. */
    private boolean closed;

    private IoUring(int descriptor, MemorySegment params, long wakeUp) {
        this.descriptor = descriptor;
        this.params = params;
        this.enterFlags =
                ENTER_GETEVENTS | ((params.get(JAVA_INT, FEATURES) & FEATURE_NO_IOWAIT) == 0 ? 0 : ENTER_NO_IOWAIT);
        this.wakeUp = arena.allocate(SUBMISSION, 8);
        this.wakeUp.set(JAVA_BYTE, 0, (byte) OP_MSG_RING);
        this.wakeUp.set(JAVA_INT, 4, descriptor);
        this.wakeUp.set(JAVA_LONG, 8, wakeUp);
    }

    /**
     * A new one.
     *
     * @param submissions that may be prepared before they are submitted; a power of two
     * @param completions that may wait to be taken; a power of two
     * @param wakeUp the user data of completions that {@link #wake} causes
     * @throws IOException with the reason why the system does not have it, or not for this process
     */
    public static IoUring create(int submissions, int completions, long wakeUp) throws IOException {
        MemorySegment params = Arena.ofAuto().allocate(PARAMS, 8);
        params.set(JAVA_INT, COMPLETION_ENTRIES, completions);
        params.set(
                JAVA_INT,
                FLAGS,
                SETUP_CQSIZE
                        | SETUP_R_DISABLED
                        | SETUP_SUBMIT_ALL
                        | SETUP_TASKRUN_FLAG
                        | SETUP_SQE128
                        | SETUP_SINGLE_ISSUER
                        | SETUP_DEFER_TASKRUN
                        | SETUP_NO_SQARRAY);
        int descriptor = UringCalls.setup(submissions, params);
        if (descriptor < 0) {
            throw new IOException("the system makes no io_uring (" + Errno.of(-descriptor) + ")");
        }
        return new IoUring(descriptor, params, wakeUp);
    }

    /** Makes it the calling thread's. */
    public void enable() throws IOException {
        int completionsAt = params.get(JAVA_INT, COMPLETION_OFFSETS + 20);
        int completionEntries = params.get(JAVA_INT, COMPLETION_ENTRIES);
        int submissionEntries = params.get(JAVA_INT, 0);
        rings = PageMemory.share(
                descriptor, OFFSET_RINGS, completionsAt + (long) completionEntries * COMPLETION, arena);
        submissions = PageMemory.share(descriptor, OFFSET_SUBMISSIONS, (long) submissionEntries * SUBMISSION, arena);
        submissionTail = params.get(JAVA_INT, SUBMISSION_OFFSETS + 4);
        flags = params.get(JAVA_INT, SUBMISSION_OFFSETS + 16);
        completionHead = params.get(JAVA_INT, COMPLETION_OFFSETS);
        completionTail = params.get(JAVA_INT, COMPLETION_OFFSETS + 4);
        completions = completionsAt;
        submissionMask = submissionEntries - 1;
        completionMask = completionEntries - 1;
        int result = UringCalls.register(descriptor, REGISTER_ENABLE_RINGS, MemorySegment.NULL, 0);
        if (result < 0) {
            throw new IOException("an io_uring cannot be enabled (" + Errno.of(-result) + ")");
        }
    }

    /** A submission of zeros, to be filled in; it leaves with the next call of the kernel. */
    public MemorySegment prepare() {
        while (prepared > submissionMask) {
            submit();
        }
        MemorySegment submission = submissions.asSlice((long) (tail & submissionMask) * SUBMISSION, SUBMISSION);
        submission.fill((byte) 0);
        tail++;
        prepared++;
        return submission;
    }

    /** Submits what is prepared, if anything is, and waits for nothing. */
    public void submit() {
        if (prepared > 0) {
            enter(0);
        }
    }

    /** Submits what is prepared, and waits until there is a completion. May answer without one, as after a signal. */
    public void submitAndWait() {
        enter(1);
    }

    /** Whether there is a completion; lets the kernel finish what it has left to this thread. */
    public boolean hasNext() {
        if (isCompleted()) {
            return true;
        }
        if (((int) SHARED.getAcquire(rings, flags) & SQ_TASKRUN) == 0) {
            return false;
        }
        enter(0);
        return isCompleted();
    }

    /** What was submitted with the next completion's result. Only if there is one, and before {@link #take}. */
    public long userData() {
        return rings.get(JAVA_LONG, completions + (long) (head & completionMask) * COMPLETION);
    }

    /** The next completion's result: at least 0, or a negative errno. Only if there is one. */
    public int result() {
        return rings.get(JAVA_INT, completions + (long) (head & completionMask) * COMPLETION + 8);
    }

    /** Takes the next completion, and answers its result. */
    public int take() {
        int result = result();
        head++;
        SHARED.setRelease(rings, completionHead, head);
        return result;
    }

    private boolean isCompleted() {
        return head != (int) SHARED.getAcquire(rings, completionTail);
    }

    private void enter(int completionsToWaitFor) {
        SHARED.setRelease(rings, submissionTail, tail);
        int submitted = UringCalls.enter(descriptor, prepared, completionsToWaitFor, enterFlags);
        if (submitted >= 0) {
            prepared -= submitted;
        } else if (!isPassing(Errno.of(-submitted))) {
            throw new IllegalStateException("an io_uring fails with " + Errno.of(-submitted));
        }
    }

    /** Whether an error has prevented a call only now, as a signal does: the next one makes up for it. */
    private static boolean isPassing(Errno errno) {
        return errno == Errno.EINTR || errno == Errno.EAGAIN || errno == Errno.EBUSY;
    }

    /** Ends the waiting of its thread, or its next one, with a completion. Harmless when it is closed. */
    public synchronized void wake() {
        if (!closed) {
            UringCalls.register(-1, REGISTER_SEND_MSG_RING, wakeUp, 1);
        }
    }

    /** Cancels what is submitted. To be called by its thread, or when that will not begin. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            arena.close();
            Libc.close(descriptor);
        }
    }
}
