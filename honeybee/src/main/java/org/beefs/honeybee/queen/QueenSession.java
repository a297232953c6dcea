package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.Release;
import org.beefs.honeybee.Admission;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.HoneybeeConfig;
import org.jspecify.annotations.Nullable;

/**
 * The one session of a desktop daemon with the queen-bee, shared by its mounts and its honeycomb. It outlives connections and
 * restarts of the queen-bee; calls made meanwhile wait. Thread-safe; no method blocks.
 */
public final class QueenSession implements AutoCloseable {
    private static final Duration GOODBYE_DEADLINE = Duration.ofSeconds(2);

    private final HoneybeeConfig config;
    private final RpcEnvironment world;
    private final Desktop desktop;
    private final OpenRegistry opens;
    private final Registration registration;
    private final Admission changes;
    private final Reconnector queen;
    private volatile @Nullable RpcConnection connection;

    public QueenSession(HoneybeeConfig config, RpcEnvironment world, Desktop desktop) {
        this.config = config;
        this.world = world;
        this.desktop = desktop;
        this.opens = new OpenRegistry(config.maxOpenFiles());
        this.registration =
                new Registration(desktop, world.random().nextLong(), opens, world.clock(), config.queenDeadline());
        this.changes = new Admission(config.maxChanges(), config.maxWaitingChanges());
        this.queen = new Reconnector(
                world,
                new Reconnector.Peer(
                        "the queen-bee",
                        config::queenbee,
                        desktop.hello(),
                        fresh -> new DesktopService(desktop.honeycomb()),
                        this::shakeHands));
    }

    /**
     * Connects and registers, and from now on again by itself. Done when registered; fails with EPROTO when the versions do
     * not fit, EBUSY when the desktop's name is taken, EIO when the queen-bee cannot be reached within the patience.
     */
    public CompletableFuture<Void> start() {
        queen.keepConnected();
        return queen.call(
                        () -> new Reconnector.Outgoing(QueenRequest.newBuilder()
                                .setSession(number())
                                .setHeartbeat(Heartbeat.newBuilder()
                                        .addAllMounts(desktop.mounts().get()))
                                .build()),
                        QueenReply.parser(),
                        config.queenDeadline(),
                        config.patience())
                .thenApply(reply -> null);
    }

    /** The session's number; 0 before the first registration. */
    public long number() {
        return registration.window().session();
    }

    public boolean isConnected() {
        return queen.isConnected();
    }

    /** Says goodbye, then closes. Calls that are under way fail with EIO. */
    public CompletableFuture<Void> stop() {
        RpcConnection open = connection;
        CompletableFuture<?> said = open == null || !open.isOpen()
                ? CompletableFuture.completedFuture(null)
                : open.call(goodbye(), Payload.NONE, QueenReply.parser(), GOODBYE_DEADLINE);
        return said.handle((reply, failure) -> {
            queen.close();
            return null;
        });
    }

    /** Closes without goodbye, as if the daemon had died. */
    @Override
    public void close() {
        queen.close();
    }

    /** A number for an open, never used before. */
    long nextHandle() {
        return opens.nextHandle();
    }

    CompletableFuture<QueenReply> ask(QueenRequest.Builder request) {
        return call(QueenCall.Kind.READ, request, config.queenDeadline()).run();
    }

    /** As {@link #ask} for what takes as long as the queen-bee's disk needs. */
    CompletableFuture<QueenReply> askSlowly(QueenRequest.Builder request) {
        return call(QueenCall.Kind.READ, request, config.syncDeadline()).run();
    }

    CompletableFuture<QueenReply> change(QueenRequest.Builder request) {
        return changes.run(() ->
                call(QueenCall.Kind.CHANGE, request, config.queenDeadline()).run());
    }

    /**
     * Makes a change that opens a file under a handle, and keeps the open asserted from then on. The answer has no record
     * when the change turned out to open nothing: {@code SetAttributes} of a clean file.
     */
    CompletableFuture<Opened> open(QueenRequest.Builder request, long handle, boolean write) {
        if (opens.full()) {
            return Futures.failed(Errno.ENFILE, config.maxOpenFiles() + " files are open on this desktop");
        }
        QueenCall.Kind kind = request.hasOpen() ? QueenCall.Kind.REPEATABLE : QueenCall.Kind.CHANGE;
        QueenCall call = call(kind, request, config.queenDeadline());
        return changes.run(call::run).thenCompose(reply -> opened(call, request, reply.getNode(), handle, write));
    }

    /**
     * Ends an open. It is no longer asserted from here on: a registration that still did so could bring back a handle whose
     * release was carried out before. Should the release get lost, the queen-bee knows no such open any more, and examines.
     */
    CompletableFuture<Void> release(Release release) {
        opens.remove(release.getHandle());
        QueenCall call = new QueenCall(
                queen,
                registration,
                world.clock(),
                QueenCall.Kind.REPEATABLE,
                QueenRequest.newBuilder().setRelease(release).build(),
                config.queenDeadline(),
                config.releasePatience());
        return changes.run(call::run).thenApply(reply -> null);
    }

    /**
     * The queen-bee forgets opens when it restarts, and answers a change that came again with the answer it kept. So an
     * open that was under way during a registration may be unknown to it although it was answered: assert it before anybody
     * relies on it.
     */
    private CompletableFuture<Opened> opened(
            QueenCall call, QueenRequest.Builder request, Node node, long handle, boolean write) {
        if (request.hasSetAttributes() && !node.getLayout().getDirty()) {
            return CompletableFuture.completedFuture(new Opened(node, null));
        }
        Opened opened = new Opened(node, opens.add(node.getAttributes().getInode(), handle, write));
        return registration.begun() == call.registrationsBefore()
                ? CompletableFuture.completedFuture(opened)
                : registration.again().thenApply(done -> opened);
    }

    private QueenCall call(QueenCall.Kind kind, QueenRequest.Builder request, Duration deadline) {
        Duration patience = config.patience().compareTo(deadline) < 0 ? deadline : config.patience();
        return new QueenCall(queen, registration, world.clock(), kind, request.build(), deadline, patience);
    }

    private CompletableFuture<Void> shakeHands(RpcConnection fresh) {
        connection = fresh;
        return registration.begin(fresh).thenAccept(registered -> registered(fresh, registered));
    }

    private void registered(RpcConnection fresh, Registered registered) {
        new Heartbeats(desktop, world.timers(), registration, fresh, registered).start();
        if (desktop.honeycomb() != null) {
            new InventoryReport(desktop.honeycomb(), fresh, registered.getSession(), config.queenDeadline()).start();
        }
    }

    private QueenRequest goodbye() {
        return QueenRequest.newBuilder()
                .setSession(number())
                .setGoodbye(Goodbye.getDefaultInstance())
                .build();
    }

    /** A file, and the open that keeps it; no open when there was no need for one. */
    public record Opened(Node node, @Nullable OpenRecord open) {}
}
