package org.beefs.honeybee.data;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.wire.ReplicaPlace;
import org.jspecify.annotations.Nullable;

/**
 * The connections with other desktops' honeycombs. Thread-safe.
 *
 * <p>Keeps a small object for each honeycomb that was ever used, because the numbers of requests must go on where they
 * were; there are as many as the hive has desktops. Of connections at most {@code maxConnections} stay open while some
 * are idle.
 */
public final class HoneycombConnections implements AutoCloseable {
    /** More of them, and the way is closed on this desktop's side. */
    private static final int MOST_UNREACHED = 64;

    private final DataWorld world;
    private final Runnable restarted;

    /** By honeycomb, the least recently used first; guarded by this. */
    private final Map<ByteString, RemoteReplicas> honeycombs = new LinkedHashMap<>(16, 0.75f, true);

    /** @param restarted hears that another process of a honeycomb answers than before */
    HoneycombConnections(DataWorld world, Runnable restarted) {
        this.world = world;
        this.restarted = restarted;
    }

    /**
     * The replicas in a honeycomb.
     *
     * @param inode a file that is wanted from there: by way of it the queen-bee is asked where the honeycomb is
     */
    RemoteReplicas to(ReplicaPlace place, long inode) {
        RemoteReplicas replicas;
        List<Reconnector> idle;
        synchronized (this) {
            replicas = honeycombs.computeIfAbsent(place.getHoneycomb(), unknown -> connect(place, inode));
            idle = detachIdle(replicas);
        }
        idle.forEach(Reconnector::close);
        return replicas;
    }

    private RemoteReplicas connect(ReplicaPlace place, long inode) {
        HoneycombAddress address = new HoneycombAddress(place, inode, world.layouts());
        return new RemoteReplicas(new HoneycombClient(world, address, restarted), world.config());
    }

    /** Takes idle connections away from those that were used longest ago, until there are no more than allowed. */
    private List<Reconnector> detachIdle(RemoteReplicas wanted) {
        List<Reconnector> idle = new ArrayList<>();
        int surplus = honeycombs.size() - world.config().maxConnections();
        for (Iterator<RemoteReplicas> eldest = honeycombs.values().iterator();
                surplus > 0 && eldest.hasNext();
                surplus--) {
            RemoteReplicas candidate = eldest.next();
            Reconnector detached =
                    candidate == wanted ? null : candidate.client().detachIfIdle();
            if (detached != null) {
                idle.add(detached);
            }
        }
        return idle;
    }

    /** The way to a honeycomb that was used; null for others. */
    private @Nullable HoneycombClient client(ByteString honeycomb) {
        RemoteReplicas known;
        synchronized (this) {
            known = honeycombs.get(honeycomb);
        }
        return known == null ? null : known.client();
    }

    /** Whether there is a connection with that honeycomb. */
    boolean has(ByteString honeycomb) {
        HoneycombClient client = client(honeycomb);
        Reconnector connection = client == null ? null : client.reconnector();
        return connection != null && connection.isConnected();
    }

    /**
     * UUIDs of honeycombs that were not reached when they were wanted last, at most {@link #MOST_UNREACHED}. To be
     * asked again and again: where nobody wants one any more because of that, it is tried again now and then.
     */
    public List<ByteString> unreached() {
        Map<ByteString, RemoteReplicas> known;
        synchronized (this) {
            known = Map.copyOf(honeycombs);
        }
        known.values().forEach(replicas -> replicas.client().tryAgain());
        return known.entrySet().stream()
                .filter(honeycomb -> honeycomb.getValue().client().isUnreached())
                .map(Map.Entry::getKey)
                .limit(MOST_UNREACHED)
                .toList();
    }

    /** How often another process has answered for that honeycomb than before. */
    long restarts(ByteString honeycomb) {
        HoneycombClient client = client(honeycomb);
        return client == null ? 0 : client.restarts();
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

    /** Shows the connections that there are, or shall be. */
    public void forEach(Consumer<Reconnector> visitor) {
        List<RemoteReplicas> all;
        synchronized (this) {
            all = List.copyOf(honeycombs.values());
        }
        for (RemoteReplicas known : all) {
            Reconnector connection = known.client().reconnector();
            if (connection != null) {
                visitor.accept(connection);
            }
        }
    }

    /** The machine has slept: whoever uses a connection from before may wait in vain, because it may have moved. */
    public void wake() {
        startAnew("this machine may have slept");
    }

    /** Cuts off what is under way, and sends it again as far as it may be. */
    void startAnew(String reason) {
        forEach(connection -> connection.startAnew(reason));
    }

    /** Closes all connections; calls that are under way fail. */
    @Override
    public void close() {
        List<Reconnector> all = new ArrayList<>();
        synchronized (this) {
            for (RemoteReplicas known : honeycombs.values()) {
                Reconnector last = known.client().detach();
                if (last != null) {
                    all.add(last);
                }
            }
        }
        all.forEach(Reconnector::close);
    }
}
