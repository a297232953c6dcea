package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.IntStream;
import org.beefs.cli.daemon.NetworkCards.Card;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.wake.MagicPacket;
import org.junit.jupiter.api.Test;

/** What a desktop says of its network cards is enough to wake it. */
class NetworkCardsTest {
    private static final ByteString NETWORK = ByteString.copyFrom(new byte[] {10, 0, 0, -1});

    @Test
    void shouldTellTheCardBehindABridgeWithTheBridgesNetwork() {
        Card card = new Card(hardware(1), List.of(), true, true);
        Card bridge = new Card(hardware(2), List.of(NETWORK), false, true);

        assertThat(NetworkCards.choose(List.of(bridge, card)))
                .contains(WakeAddresses.newBuilder()
                        .addCards(hardware(1))
                        .addBroadcasts(NETWORK)
                        .build());
    }

    @Test
    void shouldTellAVirtualCardWhereThereIsNoOther() {
        Card virtual = new Card(hardware(2), List.of(NETWORK), false, false);
        Card tunnel = new Card(ByteString.EMPTY, List.of(), true, true);

        assertThat(NetworkCards.choose(List.of(virtual, tunnel)).orElseThrow().getCardsList())
                .containsExactly(hardware(2));
        assertThat(NetworkCards.choose(List.of(tunnel))).isEmpty();
    }

    /** A desktop's containers come and go, and nobody else is in their networks. */
    @Test
    void shouldTellNoNetworkThatNoCardIsIn() {
        Card card = new Card(hardware(1), List.of(NETWORK), true, true);
        Card containers = new Card(hardware(2), List.of(NETWORK.substring(1).concat(last(7))), false, false);

        assertThat(NetworkCards.choose(List.of(containers, card)).orElseThrow().getBroadcastsList())
                .containsExactly(NETWORK);
    }

    @Test
    void shouldTellNoMoreThanTheQueenBeeTakes() {
        List<Card> many = IntStream.range(0, 100)
                .mapToObj(
                        i -> new Card(hardware(i), List.of(NETWORK.substring(1).concat(last(i))), true, true))
                .toList();

        WakeAddresses told = NetworkCards.choose(many).orElseThrow();

        MagicPacket.check(told);
        assertThat(told.getCardsCount()).isEqualTo(MagicPacket.MOST_ADDRESSES);
    }

    private static ByteString hardware(int number) {
        return ByteString.copyFrom(new byte[] {2, 0, 0, 0, 0}).concat(last(number));
    }

    private static ByteString last(int number) {
        return ByteString.copyFrom(new byte[] {(byte) number});
    }
}
