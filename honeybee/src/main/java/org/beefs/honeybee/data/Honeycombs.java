package org.beefs.honeybee.data;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.wire.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Where content is: in this process, or in another desktop's honeycomb. Thread-safe.
 *
 * <p>Keeps a small object for each honeycomb that was ever used, because the numbers of requests must go on where they
 * were; there are as many as the hive has desktops. Of connections at most {@code maxConnections} stay open while some
 * are idle.
 */
public final class Honeycombs implements AutoCloseable {
    private final DataWorld world;
    private final @Nullable LocalReplicas local;

    /** Least recently used first; guarded by this. */
    private final Map<ByteString, FlushedReplicas> remote = new LinkedHashMap<>(16, 0.75f, true);

    private final WriteBehind writeBehind;
    private final ReadAhead readAhead;

    public Honeycombs(DataWorld world, @Nullable LocalReplicas local) {
        this.world = world;
        this.local = local;
        this.writeBehind = new WriteBehind(
                world.leases(),
                world.config().maxHeldBack(),
                () -> startAnew("what is under way must not be written before the queen-bee was asked"));
        this.readAhead = new ReadAhead(world.leases()::readable, world.rpc().timers(), this::readFiles);
    }

    /** Writes to honeycombs on other desktops that are held back here. */
    public WriteBehind writeBehind() {
        return writeBehind;
    }

    /** Small files of other desktops that somebody is about to read. */
    public ReadAhead readAhead() {
        return readAhead;
    }

    /**
     * The honeycomb that has the primary replica; it is asked once the writes that are held back have come there. Fails
     * with EIO for a file that has none.
     */
    public ReplicaAccess at(Layout layout) {
        return at(layout, replicas -> replicas);
    }

    /**
     * As {@link #at}, without waiting for the writes that are held back: to bring these there, as long as that is
     * wanted. Fails with EIO afterwards, also when the primary has come to this desktop meanwhile; with EAGAIN when
     * they may not be sent before a registration.
     */
    public ReplicaAccess bypassingWriteBehind(Layout layout, BooleanSupplier wanted) {
        Leave leave = new Leave(wanted, world.leases().sending()::holds);
        leave.check();
        return at(layout, replicas -> replicas.replicas().writingWith(leave));
    }

    private ReplicaAccess at(Layout layout, Function<FlushedReplicas, ReplicaAccess> use) {
        if (layout.getHoneycomb().isEmpty()) {
            throw new PosixException(Errno.EIO, "file %d has no honeycomb".formatted(layout.getInode()));
        }
        LocalReplicaAccess own = local(layout);
        if (own != null) {
            return own;
        }
        return use.apply(remote(layout));
    }

    private FlushedReplicas remote(Layout layout) {
        FlushedReplicas replicas;
        List<Reconnector> idle;
        synchronized (this) {
            replicas = remote.computeIfAbsent(layout.getHoneycomb(), unknown -> connect(layout));
            idle = detachIdle(replicas);
        }
        idle.forEach(Reconnector::close);
        return replicas;
    }

    /** Reads small files of one honeycomb, whole. */
    private CompletableFuture<List<byte[]>> readFiles(List<Layout> files) {
        return remote(files.getFirst()).replicas().readFiles(files, ReadAhead.PATIENCE);
    }

    /** The honeycomb of this process, if that has the primary replica. */
    public @Nullable LocalReplicaAccess local(Layout layout) {
        return local != null && local.honeycomb().equals(layout.getHoneycomb()) ? local.replicas() : null;
    }

    /** Whether the file's primary is in the honeycomb of this process. */
    public boolean isPrimary(Layout layout) {
        return local(layout) != null;
    }

    /** The replicas in the honeycomb of this process; null when it has none. */
    public @Nullable LocalReplicaAccess own() {
        return local == null ? null : local.replicas();
    }

    /**
     * Whether content can be read by this layout at once: from the honeycomb of this process, or over a connection that
     * is there.
     */
    public boolean isAtHand(Layout layout) {
        return isHere(layout) || isConnected(layout.getHoneycomb());
    }

    private boolean isConnected(ByteString honeycomb) {
        HoneycombClient client = client(honeycomb);
        Reconnector connection = client == null ? null : client.reconnector();
        return connection != null && connection.isConnected();
    }

    /** The way to a honeycomb that was used; null for others. */
    private @Nullable HoneycombClient client(ByteString honeycomb) {
        FlushedReplicas known;
        synchronized (this) {
            known = remote.get(honeycomb);
        }
        return known == null ? null : known.replicas().client();
    }

    /** Another honeycomb has answered what this one was asked before. */
    public void lostRace(ByteString honeycomb) {
        HoneycombClient client = client(honeycomb);
        if (client != null) {
            client.reachability().lostRace();
        }
    }

    /** Whether another one has answered earlier a short time ago, so that others are better asked first. */
    public boolean isSlow(ByteString honeycomb) {
        HoneycombClient client = client(honeycomb);
        return client != null && client.reachability().isSlow();
    }

    /** Whether all replicas that the layout names are on other desktops. */
    public boolean isElsewhere(Layout layout) {
        return !isHere(layout);
    }

    /** Whether the honeycomb of this process has none of the replicas that the layout names, though it could. */
    public boolean lacks(Layout layout) {
        return local != null && isElsewhere(layout);
    }

    private boolean isHere(Layout layout) {
        return isPrimary(layout)
                || (local != null
                        && layout.getSecondariesList().stream()
                                .anyMatch(place -> local.honeycomb().equals(place.getHoneycomb())));
    }

    /** Shows the connections with honeycombs of other desktops. */
    public void forEachConnection(Consumer<Reconnector> visitor) {
        List<FlushedReplicas> all;
        synchronized (this) {
            all = List.copyOf(remote.values());
        }
        for (FlushedReplicas known : all) {
            Reconnector connection = known.replicas().client().reconnector();
            if (connection != null) {
                visitor.accept(connection);
            }
        }
    }

    /** The machine has slept: whoever uses a connection from before may wait in vain, because it may have moved. */
    public void wake() {
        startAnew("this machine may have slept");
    }

    private void startAnew(String reason) {
        forEachConnection(connection -> connection.startAnew(reason));
    }

    /** Closes all connections; calls that are under way fail. */
    @Override
    public void close() {
        List<Reconnector> all = new ArrayList<>();
        synchronized (this) {
            for (FlushedReplicas known : remote.values()) {
                Reconnector last = known.replicas().client().detach();
                if (last != null) {
                    all.add(last);
                }
            }
        }
        all.forEach(Reconnector::close);
    }

    private FlushedReplicas connect(Layout layout) {
        HoneycombAddress address = new HoneycombAddress(layout, world.layouts());
        return new FlushedReplicas(
                new RemoteReplicas(new HoneycombClient(world, address, writeBehind::restarted), world.config()),
                writeBehind);
    }

    /** Takes idle connections away from those that were used longest ago, until there are no more than allowed. */
    private List<Reconnector> detachIdle(FlushedReplicas wanted) {
        List<Reconnector> idle = new ArrayList<>();
        int surplus = remote.size() - world.config().maxConnections();
        for (Iterator<FlushedReplicas> eldest = remote.values().iterator();
                surplus > 0 && eldest.hasNext();
                surplus--) {
            FlushedReplicas candidate = eldest.next();
            Reconnector detached =
                    candidate == wanted ? null : candidate.replicas().client().detachIfIdle();
            if (detached != null) {
                idle.add(detached);
            }
        }
        return idle;
    }
}
