package org.beefs.queenbee.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.console.Browser;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What open pages hear. */
@Timeout(60)
class StreamsTest {
    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final TestHive hive = new TestHive();
    private ConsoleHive console;
    private WebServer server;
    private Browser browser;

    @BeforeEach
    void open() throws IOException {
        console = new ConsoleHive(hive, folder);
        String password = console.accounts().set("admin", Role.ADMINISTRATOR).password();
        server = WebServer.open(Addresses.parse("127.0.0.1:0"), false, console.parts(), executor);
        browser = new Browser("http://" + Addresses.format(server.address()) + "/");
        browser.login("admin", password);
    }

    @AfterEach
    void close() {
        browser.close();
        server.close();
        executor.shutdownNow();
    }

    /** The web server would break off what takes very long; a page asks again soon. */
    @Test
    void shouldEndAStreamAfterAWhileAndHaveTheBrowserAskAgainSoon() throws IOException {
        try (BufferedReader stream = browser.read("/stream")) {
            assertThat(stream.readLine()).isEqualTo("retry: 1000");
            console.model().events().add("test", null, "in time", null);
            while (!stream.readLine().contains("in time")) {}
            hive.time().jump(Streams.LONGEST);
            console.model().events().add("test", null, "maybe too late", null);

            assertThat(stream.lines().toList()).as("until its end").hasSizeLessThan(6);
        }
        try (BufferedReader stream = browser.read("/stream")) {
            assertThat(stream.readLine()).isNotNull();
        }
    }
}
