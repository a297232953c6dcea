package org.beefs.common.rpc;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The one connection of a {@link Reconnector}: opened with its handshake when it is needed, and opened again after a
 * break, not sooner than {@link Backoff} says. Thread-safe. At most one connection or attempt exists at a time.
 */
final class StandingConnection {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(StandingConnection.class);

    private final RpcEnvironment world;
    private final Reconnector.Peer peer;
    private final Reconnector owner;

    // Guarded by this. Nothing of others is called while holding it, but for the injected clock and randomness.
    private final Backoff backoff;
    private @Nullable RpcConnection current;
    private boolean connecting;
    private boolean closed;
    private long notBefore;
    private String trouble = "not connected yet";

    /** @param owner hears of the connection, on any thread, without a lock held */
    StandingConnection(RpcEnvironment world, Reconnector.Peer peer, Reconnector owner) {
        this.world = world;
        this.peer = peer;
        this.owner = owner;
        this.backoff = new Backoff(world.random(), FIRST_PAUSE, LONGEST_PAUSE);
        this.notBefore = world.clock().bootNanos();
    }

    synchronized @Nullable RpcConnection current() {
        return current;
    }

    /** What went wrong last, for messages to people. */
    synchronized String trouble() {
        return trouble;
    }

    /** Opens the connection if somebody needs it and nobody is doing so. */
    void connectIfNeeded() {
        if (!owner.isNeeded()) {
            return;
        }
        Duration delay;
        synchronized (this) {
            if (closed || connecting || current != null) {
                return;
            }
            connecting = true;
            delay = Duration.ofNanos(Math.max(0, notBefore - world.clock().bootNanos()));
        }
        if (delay.isZero()) {
            connect();
        } else {
            world.timers().schedule(delay, this::connect);
        }
    }

    /** Gives a connection up that is broken or of no use; harmless for one that was given up before. */
    void giveUp(RpcConnection broken, String reason) {
        synchronized (this) {
            if (current != broken) {
                return;
            }
            current = null;
            pause(reason);
            if (closed) {
                return;
            }
        }
        LOG.warn("lost the connection with {}: {}", peer.name(), reason);
        broken.cut(); // what is sent again on the next one must not arrive by this one afterwards
        connectIfNeeded();
    }

    /** Gives the present connection up, if there is one. */
    void startAnew(String reason) {
        RpcConnection present = current();
        if (present != null) {
            giveUp(present, reason);
        }
    }

    void close() {
        RpcConnection open;
        synchronized (this) {
            closed = true;
            open = current;
        }
        if (open != null) {
            open.close();
        }
    }

    private void connect() {
        synchronized (this) {
            if (closed) { // while this waited for its time
                return;
            }
        }
        reach().thenCompose(this::shakeHands).whenComplete((ready, e) -> {
            if (e == null) {
                connected(ready);
            } else {
                connectFailed(e);
            }
        });
    }

    private CompletableFuture<RpcConnection> reach() {
        try {
            InetSocketAddress address = peer.address().get();
            if (address == null) {
                throw new PosixException(Errno.ENOTCONN, "its address is not known");
            }
            return RpcConnection.connect(
                    world.network(),
                    world.timers(),
                    address,
                    Reconnector.CONNECT_TIMEOUT,
                    peer.hello(),
                    peer.service());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        } catch (OutOfMemoryError noThread) {
            return CompletableFuture.failedFuture(passing(noThread));
        }
    }

    /** The machine may have threads or memory again with the next attempt. */
    private static PosixException passing(OutOfMemoryError noThread) {
        return new PosixException(
                Errno.EAGAIN, "this machine has no thread or memory for it: " + noThread.getMessage());
    }

    private CompletableFuture<RpcConnection> shakeHands(RpcConnection fresh) {
        CompletableFuture<RpcConnection> ready = new CompletableFuture<>();
        Timers.Timer timer = world.timers()
                .schedule(
                        Reconnector.HANDSHAKE_TIMEOUT,
                        () -> ready.completeExceptionally(
                                new PosixException(Errno.ETIMEDOUT, "the handshake took too long")));
        ready.whenComplete((_, e) -> {
            timer.cancel();
            if (e != null) {
                fresh.close();
            }
        });
        fresh.onClose(() -> ready.completeExceptionally(new PosixException(Errno.ENOTCONN, fresh.closeReason())));
        try {
            peer.handshake().apply(fresh).whenComplete((_, e) -> {
                if (e == null) {
                    ready.complete(fresh);
                } else {
                    ready.completeExceptionally(Failures.unwrap(e));
                }
            });
        } catch (RuntimeException e) {
            ready.completeExceptionally(e);
        } catch (OutOfMemoryError noThread) {
            ready.completeExceptionally(passing(noThread));
        }
        return ready;
    }

    private void connected(RpcConnection fresh) {
        boolean unwanted;
        synchronized (this) {
            unwanted = closed;
            connecting = false;
            current = unwanted ? null : fresh;
            backoff.reset();
        }
        if (unwanted) {
            fresh.close();
            return;
        }
        LOG.info("connected with {} at {}", peer.name(), fresh.peer());
        owner.connected(fresh);
        fresh.onClose(() -> giveUp(fresh, fresh.closeReason()));
    }

    private void connectFailed(Throwable thrown) {
        PosixException cause = Failures.toPosix(thrown);
        boolean news;
        synchronized (this) {
            connecting = false;
            news = !trouble.equals(cause.getMessage());
            pause(cause.getMessage());
        }
        if (Failures.isUnforeseen(thrown)) {
            LOG.error("connecting with {} failed", peer.name(), thrown);
        }
        boolean told = !Reconnector.passes(cause) && owner.refused(cause);
        if (news && !Failures.isUnforeseen(thrown)) {
            LOG.atLevel(told ? Level.INFO : Level.WARN)
                    .log("no connection with {}, trying on: {}", peer.name(), cause.getMessage());
        }
        connectIfNeeded();
    }

    private void pause(String reason) {
        trouble = reason;
        notBefore = world.clock().bootNanos() + backoff.next().toNanos();
    }
}
