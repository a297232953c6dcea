package org.beefs.honeybee.queen;

import java.time.Duration;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Registered;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the session alive over one connection, until that closes. A heartbeat that stays unanswered for a third of the
 * lease closes the connection: a queen-bee that was stopped, or cut off without a word, keeps it open otherwise. One
 * that comes as much too late does so at once: the machine has slept, and may have another address now.
 */
final class Heartbeats {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private final SessionParts parts;
    private final Registration registration;
    private final RpcConnection connection;
    private final Duration interval;
    private final Duration deadline;

    Heartbeats(SessionParts parts, Registration registration, RpcConnection connection, Registered registered) {
        this.parts = parts;
        this.registration = registration;
        this.connection = connection;
        this.interval = Duration.ofMillis(Math.max(1, registered.getHeartbeatMillis()));
        this.deadline = Duration.ofMillis(Math.max(1, registered.getLeaseMillis() / 3));
    }

    void start() {
        long latest = parts.clock().bootNanos() + interval.plus(deadline).toNanos();
        parts.timers().schedule(interval, () -> orConnectAnew(() -> beat(latest)));
    }

    /** Without a next heartbeat the session would end with its lease, and nobody would know why. */
    private void orConnectAnew(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a defect has ended the heartbeats, so they begin anew with another connection", e);
            connection.close();
        }
    }

    private void beat(long latest) {
        if (!connection.isOpen()) {
            return;
        }
        if (parts.clock().isPast(latest)) {
            connection.close("this machine has slept or was stopped");
            return;
        }
        if (registration.isResting()) {
            start();
            return;
        }
        RequestWindow window = registration.window();
        QueenRequest request = QueenRequest.newBuilder()
                .setSession(window.session())
                .setHeartbeat(heartbeat())
                .build();
        long sentAt = parts.cache().stamp().sentAt();
        connection
                .call(request, QueenReply.parser(), deadline)
                .whenComplete((reply, failure) -> orConnectAnew(() -> answered(window, sentAt, reply, failure)));
    }

    private Heartbeat heartbeat() {
        Heartbeat.Builder heartbeat = Heartbeat.newBuilder()
                .addAllMounts(parts.desktop().mounts().get())
                .addAllUnreached(parts.desktop().unreached().get())
                .setNumbersLeft(parts.supply().left());
        LocalHoneycomb honeycomb = parts.desktop().honeycomb();
        if (honeycomb != null) {
            heartbeat
                    .setPausedMillis(honeycomb.paused().toMillis())
                    .setUserActivity(honeycomb.userActivity())
                    .setTraffic(honeycomb.servedBytes())
                    .setMarked(honeycomb.marked());
            addState(heartbeat, honeycomb);
        }
        return heartbeat.build();
    }

    /** A disk that cannot be asked does not end the session. */
    private static void addState(Heartbeat.Builder heartbeat, LocalHoneycomb honeycomb) {
        try {
            heartbeat.setSpace(honeycomb.space()).setScrub(honeycomb.scrub());
        } catch (PosixException e) {
            LOG.warn("the honeycomb's state is not known: {}", e.getMessage());
        }
    }

    private void answered(
            RequestWindow window, long sentAt, @Nullable Message<QueenReply> reply, @Nullable Throwable failure) {
        if (failure != null && Failures.toPosix(failure).errno() == Errno.ETIMEDOUT) {
            connection.close("a heartbeat was not answered within %d s".formatted(deadline.toSeconds()));
        } else if (reply != null && reply.body().getUnknownSession()) {
            registration.requestReplacement(window);
        } else if (reply != null) {
            parts.cache().heard(sentAt);
            parts.answered().settle(reply.body().getDurableSequence());
            parts.supply().take(reply.body().getNewInodes());
            if (!parts.term().extend(sentAt)) {
                registration.requestAgain();
            }
        }
        start();
    }
}
