package org.beefs.honeybee.fuse.exchange;

import org.beefs.honeybee.fuse.protocol.Origin;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.beefs.honeybee.mount.Callers;
import org.beefs.honeybee.mount.RequestMeter;

/** What the requests of one mount share. Thread-safe. */
public final class Connection {
    private final Callers callers;
    private final Interrupts interrupts;
    private final RequestMeter meter;

    /**
     * Memory for answers, for each thread. Few threads answer: readers, those that bring answers from the network, and
     * timers.
     */
    private final ThreadLocal<Reply.Scratch> scratch = ThreadLocal.withInitial(Reply.Scratch::new);

    private volatile boolean ended;

    public Connection(Callers callers, Interrupts interrupts, RequestMeter meter) {
        this.callers = callers;
        this.interrupts = interrupts;
        this.meter = meter;
    }

    Callers callers() {
        return callers;
    }

    public Interrupts interrupts() {
        return interrupts;
    }

    RequestMeter meter() {
        return meter;
    }

    /** No requests come any more. */
    public void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** An answer that the calling thread is about to send. */
    Reply reply(Origin origin, long unique) {
        return new Reply(scratch.get(), origin, unique);
    }
}
