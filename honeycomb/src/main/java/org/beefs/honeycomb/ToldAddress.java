package org.beefs.honeycomb;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.config.Addresses;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address that other desktops are told for this honeycomb, as host:port. A honeycomb that listens on all addresses
 * of its machine is reached at the address from which it talks with the queen-bee: each registration tells that, so it
 * follows a machine that gets another address. Thread-safe.
 */
final class ToldAddress {
    private static final Logger LOG = LoggerFactory.getLogger(ToldAddress.class);

    private final boolean isFixed;
    private final InetSocketAddress listening;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile String last;

    /**
     * Nobody has been told yet.
     *
     * @param advertise the host's name or address, if the configuration says one: then that is told
     * @param listening where the honeycomb really listens
     */
    ToldAddress(Optional<String> advertise, InetSocketAddress listening) {
        this.isFixed = advertise.isPresent();
        this.listening = listening;
        this.last = Addresses.format(advertise
                .map(host -> InetSocketAddress.createUnresolved(host, listening.getPort()))
                .orElse(listening));
    }

    /** The address that was told last; before the first, the configured one. */
    String last() {
        return last;
    }

    /**
     * The address to be told on a connection with the queen-bee.
     *
     * @param from this machine's end of it; null when it is not known, and then what was told last holds
     */
    String on(@Nullable InetAddress from) {
        if (isFixed || from == null) {
            return last;
        }
        boolean everywhere = listening.getAddress().isAnyLocalAddress();
        InetAddress host = everywhere ? from : listening.getAddress();
        String told = Addresses.format(new InetSocketAddress(host, listening.getPort()));
        last = told;
        if (host.isLoopbackAddress() && (everywhere || !from.isLoopbackAddress()) && !warned.getAndSet(true)) {
            LOG.warn(
                    "other desktops are told {}, where each of them finds only itself: set {}",
                    told,
                    remedy(everywhere));
        }
        return told;
    }

    private String remedy(boolean everywhere) {
        return everywhere
                ? "honeycomb.advertise to a name or address of this machine, because the queen-bee is on it, too"
                : "honeycomb.listen to 0.0.0.0:" + listening.getPort();
    }
}
