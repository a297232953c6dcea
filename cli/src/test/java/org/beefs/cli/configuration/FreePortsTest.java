package org.beefs.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    private static final int SEED = 4711;

    @Test
    void shouldNotChooseWhatSomebodyElseHasChosen() {
        try (FreePorts one = new FreePorts(new Random(SEED));
                FreePorts other = new FreePorts(new Random(SEED))) {
            assertThat(Stream.generate(() -> Stream.of(one.next(), other.next()))
                            .limit(20)
                            .flatMap(Function.identity()))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldLetADaemonListenAtWhatItHolds() throws IOException {
        try (FreePorts ports = new FreePorts(new Random());
                ServerSocket daemon = new ServerSocket()) {
            InetSocketAddress chosen = ports.next();
            daemon.bind(chosen);

            try (Socket user = new Socket(chosen.getAddress(), chosen.getPort())) {
                assertThat(user.isConnected()).isTrue();
            }
        }
    }

    @Test
    void shouldRefuseWhoConnectsBeforeADaemonListens() {
        try (FreePorts ports = new FreePorts(new Random())) {
            InetSocketAddress chosen = ports.next();

            assertThatThrownBy(() -> new Socket(chosen.getAddress(), chosen.getPort()))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("refused");
        }
    }
}
