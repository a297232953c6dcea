package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation that a mount was asked for, from its beginning to its answer. Each is itself only: compared by
 * identity. Thread-safe.
 */
public final class Call {
    private final long id;
    private final String operation;
    private final long inode;
    private final @Nullable ByteString name;
    private final int thread;
    private final long began;

    /** Whether the thread that asks is still in the operation, where only local disks can hold it up. */
    private volatile boolean inThread = true;

    /** What it was seen waiting for last; empty as long as nobody has looked. */
    private volatile List<Wait> waits = List.of();

    /** Whether the log knows of it. */
    private volatile boolean noted;

    Call(long id, String operation, long inode, @Nullable ByteString name, int thread, long began) {
        this.id = id;
        this.operation = operation;
        this.inode = inode;
        this.name = name;
        this.thread = thread;
        this.began = began;
    }

    /** The request's id, as logs of all roles show it. */
    public long id() {
        return id;
    }

    /** The operation's name, such as {@code lookup}. */
    public String operation() {
        return operation;
    }

    /** The inode that it is about: the directory of the name if there is one; 0 when that is not known. */
    public long inode() {
        return inode;
    }

    public @Nullable ByteString name() {
        return name;
    }

    /** The thread of the program that waits; 0 when that is not known. */
    public int thread() {
        return thread;
    }

    /** When it began, in nanoseconds of the boot clock. */
    long began() {
        return began;
    }

    Duration age(long now) {
        return Duration.ofNanos(now - began);
    }

    boolean isInThread() {
        return inThread;
    }

    void leftThread() {
        inThread = false;
    }

    List<Wait> waits() {
        return waits;
    }

    void setWaits(List<Wait> seen) {
        waits = seen;
    }

    boolean isNoted() {
        return noted;
    }

    void note() {
        noted = true;
    }
}
