package org.beefs.common.rpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Makes links. The production one is TCP; the simulator has its own. Thread-safe. */
public interface Network {
    /** Links to a server at a time, unless it says another number. */
    int USUAL_LINKS = 4096;

    /**
     * Opens a link. Of a name that has several addresses the first one that answers is taken. The future fails when
     * nobody listens there or the timeout passes. The listener is asked for once the link is open, before the first
     * frame.
     */
    CompletableFuture<Link> connect(
            InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener);

    /** As below, for so many as one of many servers of a large hive needs: some for each desktop. */
    default Server listen(InetSocketAddress address, Function<Link, Link.Listener> acceptor) throws IOException {
        return listen(address, USUAL_LINKS, acceptor);
    }

    /**
     * Accepts links at an address, of a name the first one; port 0 takes a free one. Fails with BindException when the
     * address is taken or not of this host.
     *
     * @param most links at a time that have greeted
     */
    Server listen(InetSocketAddress address, int most, Function<Link, Link.Listener> acceptor) throws IOException;

    /** A listening address. */
    interface Server extends AutoCloseable {
        /** The address really listened at. */
        InetSocketAddress address();

        /** Accepts nobody any more; who was accepted stays. */
        void refuse();

        /** Stops accepting and closes what was accepted. */
        @Override
        void close();
    }
}
