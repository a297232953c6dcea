package org.beefs.queenbee.wake;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.WakeAddresses;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends magic packets over UDP, for each card to each network that its desktop was in, and to this machine's own.
 * Thread-safe.
 */
@ProductionOnly
public final class WakeOnLan implements Alarm {
    /** Discard: should a machine that is awake get it, it does nothing. */
    private static final int PORT = 9;

    private static final byte[] OWN_NETWORK = {-1, -1, -1, -1};
    private static final Logger LOG = LoggerFactory.getLogger(WakeOnLan.class);

    private final int port;

    public WakeOnLan() {
        this(PORT);
    }

    WakeOnLan(int port) {
        this.port = port;
    }

    @Override
    public void ring(WakeAddresses addresses) throws IOException {
        List<InetSocketAddress> networks = networks(addresses);
        IOException failure = null;
        int sent = 0;
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
            for (ByteString card : addresses.getCardsList()) {
                for (InetSocketAddress network : networks) {
                    IOException refused = send(channel, MagicPacket.to(card), network);
                    failure = refused == null ? failure : refused;
                    sent += refused == null ? 1 : 0;
                }
            }
        }
        if (sent == 0) {
            throw failure == null ? new IOException("no hardware address is known") : failure;
        }
    }

    private List<InetSocketAddress> networks(WakeAddresses addresses) throws IOException {
        List<InetSocketAddress> networks = new ArrayList<>();
        for (ByteString broadcast : addresses.getBroadcastsList()) {
            networks.add(new InetSocketAddress(InetAddress.getByAddress(broadcast.toByteArray()), port));
        }
        networks.add(new InetSocketAddress(InetAddress.getByAddress(OWN_NETWORK), port));
        return networks;
    }

    /** Sends into one network; returns why that failed, as the others are to be tried all the same. */
    private static @Nullable IOException send(DatagramChannel channel, ByteString packet, InetSocketAddress network) {
        try {
            channel.send(packet.asReadOnlyByteBuffer(), network);
            return null;
        } catch (IOException e) {
            LOG.debug("no magic packet to {}: {}", network, e.toString());
            return e;
        }
    }
}
