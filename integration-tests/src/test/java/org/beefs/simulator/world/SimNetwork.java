package org.beefs.simulator.world;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;

/** The network between the hosts of a world: who listens where, who cannot reach whom, and what the weather is like. */
public final class SimNetwork {
    private record Listening(SimProcess process, Function<Link, Link.Listener> acceptor) {}

    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final Map<InetSocketAddress, Listening> servers = new HashMap<>();
    private final List<SimLink> links = new ArrayList<>();

    /** One host that reaches none, or two that do not reach one another, by the number of the cut. */
    private final Map<Integer, Set<SimHost>> cuts = new LinkedHashMap<>();

    private int lastCut;
    private NetworkWeather weather = NetworkWeather.FAIR;
    private FrameFilter filter = FrameFilter.NONE;
    private int lastPort = 20_000;

    public SimNetwork(SimScheduler scheduler, RandomGenerator random) {
        this.scheduler = scheduler;
        this.random = random;
    }

    public void setWeather(NetworkWeather weather) {
        this.weather = weather;
    }

    /** Whether what is sent may be lost though nobody is cut off. */
    public boolean losesFrames() {
        return weather.loss() > 0;
    }

    /** Who sees, and may change, each frame as it arrives. */
    public void setFilter(FrameFilter filter) {
        this.filter = filter;
    }

    /**
     * Cuts a host off from all others, whose links with it then stand still.
     *
     * @return ends this cut
     */
    public Runnable cutOff(SimHost host) {
        return cut(Set.of(host));
    }

    public boolean isCutOff(SimHost host) {
        return cuts.containsValue(Set.of(host));
    }

    /**
     * Cuts two hosts off from one another.
     *
     * @return ends this cut
     */
    public Runnable keepApart(SimHost one, SimHost other) {
        return cut(Set.of(one, other));
    }

    private Runnable cut(Set<SimHost> hosts) {
        int number = ++lastCut;
        cuts.put(number, hosts);
        return () -> {
            cuts.remove(number);
            goOn();
        };
    }

    /** Ends all cuts. */
    public void heal() {
        cuts.clear();
        goOn();
    }

    /** Each link that stood still, and need not any more, goes on or is broken. */
    private void goOn() {
        for (SimLink link : List.copyOf(links)) {
            if (!link.isSeparated()) {
                link.healed(random.nextInt(3) == 0);
            }
        }
    }

    /** Breaks one open link; false when there is none. */
    public boolean breakSomeLink() {
        if (links.isEmpty()) {
            return false;
        }
        links.get(random.nextInt(links.size())).tear("the connection broke");
        return true;
    }

    /** The network as one process uses it. */
    public Network of(SimProcess process) {
        process.onKill(() -> died(process));
        return new Network() {
            @Override
            public CompletableFuture<Link> connect(
                    InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener) {
                return SimNetwork.this.connect(process, address, timeout, listener);
            }

            @Override
            public Server listen(InetSocketAddress address, int most, Function<Link, Link.Listener> acceptor)
                    throws IOException {
                return SimNetwork.this.listen(process, address, acceptor);
            }
        };
    }

    private CompletableFuture<Link> connect(
            SimProcess from, InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener) {
        CompletableFuture<Link> opened = new CompletableFuture<>();
        scheduler.schedule(delay(), () -> {
            Listening server = servers.get(address);
            if (server == null) {
                String reason = "nobody listens at " + address;
                from.execute(delay(), () -> opened.completeExceptionally(new ConnectException(reason)));
            } else if (!from.alive() || separated(from.host(), server.process().host())) {
                ConnectException late = new ConnectException("no answer from " + address);
                from.execute(timeout.toNanos(), () -> opened.completeExceptionally(late));
            } else {
                SimLink link = new SimLink(this, from, server.process());
                links.add(link);
                link.open(listener, server.acceptor(), opened);
            }
        });
        return opened;
    }

    private Network.Server listen(SimProcess process, InetSocketAddress address, Function<Link, Link.Listener> acceptor)
            throws IOException {
        int port = address.getPort() == 0 ? ++lastPort : address.getPort();
        InetSocketAddress at = new InetSocketAddress(process.host().address(), port);
        if (servers.putIfAbsent(at, new Listening(process, acceptor)) != null) {
            throw new BindException(at + " is taken");
        }
        return new Network.Server() {
            private boolean open = true;

            @Override
            public InetSocketAddress address() {
                return at;
            }

            @Override
            public void refuse() {
                servers.remove(at);
            }

            @Override
            public void close() {
                if (open) {
                    open = false;
                    refuse();
                    List.copyOf(links).stream()
                            .filter(link -> link.acceptedBy(process))
                            .forEach(link -> link.tear("the server was closed"));
                }
            }
        };
    }

    private void died(SimProcess process) {
        servers.values().removeIf(server -> server.process() == process);
        List.copyOf(links).stream().filter(link -> link.touches(process)).forEach(SimLink::endDied);
    }

    void forget(SimLink link) {
        links.remove(link);
    }

    boolean separated(SimHost one, SimHost other) {
        return one != other && (isCutOff(one) || isCutOff(other) || cuts.containsValue(Set.of(one, other)));
    }

    long delay() {
        return 20_000 + random.nextLong(weather.maxDelayNanos());
    }

    SimScheduler scheduler() {
        return scheduler;
    }

    RandomGenerator random() {
        return random;
    }

    NetworkWeather weather() {
        return weather;
    }

    FrameFilter filter() {
        return filter;
    }
}
