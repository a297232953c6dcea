package org.beefs.cli.bench.queen;

import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;

/**
 * One request of a script after another, each when it is due and the one before is answered. Belongs to the network's
 * thread.
 *
 * <p>A request that is due while the one before still waits counts from then: whoever is slow is not asked less and
 * found faster for it.
 */
final class Lane {
    private final QueenSession session;
    private final Script script;
    private final Load load;
    private final Clock clock;
    private final long distance;
    private long due;
    private boolean idle = true;
    private boolean over;

    /**
     * @param due when the first request is
     * @param distance between two, in nanoseconds; 0 if each is due when the one before is answered
     */
    Lane(QueenSession session, Script script, Load load, Clock clock, long due, long distance) {
        this.session = session;
        this.script = script;
        this.load = load;
        this.clock = clock;
        this.due = due;
        this.distance = distance;
    }

    /** Sends what has become due while nothing was waited for. */
    void look(long now) {
        if (idle && !over) {
            goOn(now, now);
        }
    }

    private boolean endsHere() {
        if (load.isOver() && script.isAtRest()) {
            over = true;
            load.laneEnded();
        }
        return over;
    }

    private void send(long since) {
        idle = false;
        QueenRequest.Builder request = script.next();
        session.send(request, Answers.isChange(request), reply -> answered(reply, since));
    }

    private void answered(QueenReply reply, long since) {
        long now = clock.bootNanos();
        idle = true;
        try {
            Answers.requireDone(reply);
        } catch (PosixException e) {
            over = true;
            load.failed(e);
            return;
        }
        load.took(now - since);
        script.answered(reply);
        due = distance == 0 ? now : due + distance;
        goOn(now, due);
    }

    private void goOn(long now, long since) {
        if (!endsHere() && (due <= now || load.isOver())) {
            send(since);
        }
    }
}
