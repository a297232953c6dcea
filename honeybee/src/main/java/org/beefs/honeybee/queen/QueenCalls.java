package org.beefs.honeybee.queen;

import java.time.Duration;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.QueenRequest;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.Patience;
import org.beefs.honeybee.cache.CacheView;
import org.beefs.honeybee.cache.Decided;
import org.beefs.honeybee.cache.Stamp;
import org.jspecify.annotations.Nullable;

/** Makes the calls of a session. Thread-safe. */
final class QueenCalls {
    private final HoneybeeConfig config;
    private final Clock clock;
    private final QueenCall.Context context;

    QueenCalls(HoneybeeConfig config, Clock clock, QueenCall.Context context) {
        this.config = config;
        this.clock = clock;
        this.context = context;
    }

    /** A call without a number, for what may be asked twice without harm. */
    QueenCall question(QueenRequest.Builder request) {
        return of(QueenCall.Kind.UNNUMBERED, request.build(), null, null, config.queenDeadline(), config.patience());
    }

    /** As {@link #question} for what must be done though the queen-bee is away. */
    QueenCall patientQuestion(QueenRequest.Builder request) {
        return of(
                QueenCall.Kind.UNNUMBERED,
                request.build(),
                null,
                null,
                config.queenDeadline(),
                config.releasePatience());
    }

    /**
     * As {@link #question} for what takes as long as the queen-bee's disk needs, and no longer than others when she is
     * away.
     */
    QueenCall ofHerDisk(QueenRequest.Builder request) {
        return slow(request, config.syncDeadline());
    }

    /**
     * As {@link #question} for what waits for other desktops, and no longer than others when she is away. She ends the
     * waiting herself; a deadline before that would end the connection, with all leases.
     *
     * @param longest that she lets it wait; 0 if she is older, and does not tell
     */
    QueenCall ofOtherDesktops(QueenRequest.Builder request, Duration longest) {
        Duration deadline = longest.plus(config.queenDeadline());
        return slow(request, deadline.compareTo(config.syncDeadline()) > 0 ? deadline : config.syncDeadline());
    }

    private QueenCall slow(QueenRequest.Builder request, Duration deadline) {
        return of(QueenCall.Kind.UNNUMBERED, request.build(), null, null, deadline, config.patience());
    }

    /**
     * A call that a program waits for and that changes something.
     *
     * @param origin the mount that makes the change; null for the daemon's own
     */
    QueenCall change(QueenCall.Kind kind, QueenRequest.Builder request, @Nullable CacheView origin) {
        return of(kind, request.build(), origin, null, config.queenDeadline(), config.patience());
    }

    /** A call for the end of an open, or that tells of one: patient with a queen-bee who is away. */
    QueenCall ofOpen(QueenRequest.Builder request) {
        return of(
                QueenCall.Kind.REPEATABLE,
                request.build(),
                null,
                null,
                config.queenDeadline(),
                config.releasePatience());
    }

    /** A call for what was decided here. Programs know already that it is made, so it is never given up. */
    QueenCall decided(Decided made) {
        return of(QueenCall.Kind.DECIDED, made.request(), null, made, config.queenDeadline(), Reconnector.FOR_EVER);
    }

    /**
     * Makes any call.
     *
     * @param deadline of one attempt
     * @param patience for all of them, from now
     */
    private QueenCall of(
            QueenCall.Kind kind,
            QueenRequest request,
            @Nullable CacheView origin,
            @Nullable Decided decided,
            Duration deadline,
            Duration patience) {
        long now = clock.bootNanos();
        return new QueenCall(
                context,
                kind,
                request,
                origin,
                decided,
                deadline,
                Stamp.begun(now),
                new Patience(clock, now + patience.toNanos()));
    }
}
