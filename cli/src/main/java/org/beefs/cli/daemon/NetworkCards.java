package org.beefs.cli.daemon;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.wake.MagicPacket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How this machine is woken: by the hardware addresses of its network cards, in the networks that it is in. These are
 * not told apart, because a bridge or bond has the network and another interface the card.
 */
@ProductionOnly
final class NetworkCards {
    private static final Path INTERFACES = Path.of("/sys/class/net");

    /** Such as a VLAN on a bridge on a bond. */
    private static final int MOST_LAYERS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(NetworkCards.class);

    /**
     * A network interface.
     *
     * @param hardware its address; empty if it has none
     * @param broadcasts of its IPv4 networks
     * @param real whether there is a device behind it, and not only a program or another interface
     * @param reaches whether what is sent there leaves by a device, its own or one that it has joined
     */
    record Card(ByteString hardware, List<ByteString> broadcasts, boolean real, boolean reaches) {}

    private NetworkCards() {}

    /** Nothing if it has no card. */
    static Optional<WakeAddresses> ofThisMachine() {
        try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
            return choose(
                    interfaces.map(NetworkCards::card).flatMap(Optional::stream).toList());
        } catch (SocketException e) {
            LOG.debug("no network interfaces: {}", e.toString());
            return Optional.empty();
        }
    }

    /** Devices, and networks that devices are in, rather than others, such as those of containers. */
    static Optional<WakeAddresses> choose(List<Card> cards) {
        boolean hasReal = cards.stream().anyMatch(card -> card.real() && isCard(card.hardware()));
        List<ByteString> addresses = cards.stream()
                .filter(card -> card.real() || !hasReal)
                .map(Card::hardware)
                .filter(NetworkCards::isCard)
                .distinct()
                .limit(MagicPacket.MOST_ADDRESSES)
                .toList();
        boolean isAnyReached = cards.stream()
                .anyMatch(card -> card.reaches() && !card.broadcasts().isEmpty());
        List<ByteString> broadcasts = cards.stream()
                .filter(card -> card.reaches() || !isAnyReached)
                .flatMap(card -> card.broadcasts().stream())
                .distinct()
                .limit(MagicPacket.MOST_ADDRESSES)
                .toList();
        return addresses.isEmpty()
                ? Optional.empty()
                : Optional.of(WakeAddresses.newBuilder()
                        .addAllCards(addresses)
                        .addAllBroadcasts(broadcasts)
                        .build());
    }

    private static boolean isCard(ByteString hardware) {
        return hardware.size() == MagicPacket.CARD_LENGTH;
    }

    /** Nothing for what is not there any more, or never leaves this machine. */
    private static Optional<Card> card(NetworkInterface network) {
        try {
            byte[] hardware = network.getHardwareAddress();
            Path shown = INTERFACES.resolve(network.getName());
            return network.isLoopback() || !network.isUp()
                    ? Optional.empty()
                    : Optional.of(new Card(
                            hardware == null ? ByteString.EMPTY : ByteString.copyFrom(hardware),
                            broadcasts(network),
                            isDevice(shown),
                            reachesDevice(shown, MOST_LAYERS)));
        } catch (SocketException e) {
            LOG.debug("{} is gone: {}", network.getName(), e.toString());
            return Optional.empty();
        }
    }

    private static boolean isDevice(Path network) {
        return Files.exists(network.resolve("device"));
    }

    /** Linux shows what a bridge, bond or VLAN has joined as its lower interfaces. */
    private static boolean reachesDevice(Path network, int layers) {
        if (isDevice(network)) {
            return true;
        }
        try (DirectoryStream<Path> lower = Files.newDirectoryStream(network, "lower_*")) {
            for (Path joined : lower) {
                if (layers > 0 && reachesDevice(joined, layers - 1)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("{} is gone: {}", network, e.toString());
        }
        return false;
    }

    private static List<ByteString> broadcasts(NetworkInterface network) {
        return network.getInterfaceAddresses().stream()
                .map(InterfaceAddress::getBroadcast)
                .filter(Objects::nonNull)
                .map(InetAddress::getAddress)
                .filter(address -> address.length == MagicPacket.BROADCAST_LENGTH)
                .map(ByteString::copyFrom)
                .toList();
    }
}
