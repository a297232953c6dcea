package org.beefs.queenbee.server;

import com.google.protobuf.ByteString;
import java.net.InetSocketAddress;

/** A queen-bee that desktops can reach. */
public interface ListeningQueenBee extends NamespaceAccess, AutoCloseable {
    /** The address really listened at. */
    InetSocketAddress address();

    /** The id of the hive, which also a rebuilt state has. */
    ByteString hive();

    /** Stops serving; everything that was answered is on disk afterwards. */
    @Override
    void close();
}
