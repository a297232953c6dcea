package org.beefs.queenbee.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import org.beefs.common.wire.WakeAddresses;
import org.junit.jupiter.api.Test;

/** A sleeping network card would hear its own address. */
class WakeOnLanTest {
    private static final int SOON_MILLIS = 30_000;
    private static final ByteString FIRST = ByteString.copyFrom(new byte[] {2, 0, 0, 0, 0, 1});
    private static final ByteString SECOND = ByteString.copyFrom(new byte[] {2, 0, 0, 0, 0, 2});

    @Test
    void shouldSendEachCardItsAddressSixteenTimes() throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (DatagramSocket sleeping = new DatagramSocket(0, loopback)) {
            sleeping.setSoTimeout(SOON_MILLIS);
            new WakeOnLan(sleeping.getLocalPort())
                    .ring(WakeAddresses.newBuilder()
                            .addCards(FIRST)
                            .addCards(SECOND)
                            .addBroadcasts(ByteString.copyFrom(loopback.getAddress()))
                            .build());

            assertThat(receive(sleeping)).isEqualTo(packet(1));
            assertThat(receive(sleeping)).isEqualTo(packet(2));
        }
    }

    @Test
    void shouldFailWhenThereIsNobodyToSendTo() {
        assertThatThrownBy(() -> new WakeOnLan().ring(WakeAddresses.getDefaultInstance()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no hardware address");
    }

    private static byte[] receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[1500], 1500);
        socket.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private static byte[] packet(int last) {
        byte[] packet = new byte[102];
        Arrays.fill(packet, 0, 6, (byte) 0xFF);
        for (int i = 6; i < packet.length; i += 6) {
            packet[i] = 2;
            packet[i + 5] = (byte) last;
        }
        return packet;
    }
}
