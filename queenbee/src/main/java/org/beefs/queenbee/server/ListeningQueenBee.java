package org.beefs.queenbee.server;

import java.net.InetSocketAddress;

/** A queen-bee that desktops can reach. */
public interface ListeningQueenBee extends NamespaceAccess, AutoCloseable {
    /** The address really listened at. */
    InetSocketAddress address();

    /** Stops serving; everything that was answered is on disk afterwards. */
    @Override
    void close();
}
