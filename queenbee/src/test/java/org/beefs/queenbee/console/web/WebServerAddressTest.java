package org.beefs.queenbee.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.console.Browser;
import org.beefs.queenbee.console.ConsoleConfig;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where it listens when somebody else has its address. */
class WebServerAddressTest {
    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private ConsoleHive console;
    private WebServer server;

    @BeforeEach
    void open() throws IOException {
        console = new ConsoleHive(new TestHive(), folder);
        server = WebServer.open(Addresses.parse("127.0.0.1:0"), false, console.parts(), executor);
    }

    @AfterEach
    void close() {
        server.close();
        executor.shutdownNow();
    }

    @Test
    void shouldTakeAnotherHostIfItsAddressIsTakenAndNobodyHasChosenIt() throws IOException {
        WebServer second = WebServer.open(server.address(), true, console.parts(), executor);

        try (Browser other = new Browser("http://" + Addresses.format(second.address()) + "/")) {
            assertThat(second.address().getAddress())
                    .as("cookies are for all ports of a host")
                    .matches(InetAddress::isLoopbackAddress)
                    .isNotEqualTo(server.address().getAddress());
            assertThat(second.address().getPort()).isEqualTo(server.address().getPort());
            assertThat(other.get("/login").statusCode()).isEqualTo(200);
        } finally {
            second.close();
        }
    }

    @Test
    void shouldTakeAnotherHostAlsoWhereItsPortIsTakenAtAllAddresses() throws IOException {
        try (ServerSocket everywhere = new ServerSocket(0)) {
            InetSocketAddress taken =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), everywhere.getLocalPort());

            WebServer second = WebServer.open(taken, true, console.parts(), executor);
            second.close();

            assertThat(second.address().getAddress()).isNotEqualTo(taken.getAddress());
        }
    }

    /** Who has chosen the address would log in with who has taken it. */
    @Test
    void shouldNotServeElsewhereThanWhereItWasToldTo() {
        assertThatThrownBy(() -> WebServer.open(server.address(), false, console.parts(), executor))
                .isInstanceOf(BindException.class);
        assertThat(ConsoleConfig.defaults().mayMove()).isTrue();
        assertThat(new ConsoleConfig("127.0.0.1:7071", Duration.ofMinutes(30)).mayMove())
                .isFalse();
    }
}
