package org.beefs.queenbee.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.console.Browser;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.console.web.WebServer;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long each page of the console takes with 500 desktops, from the request to the last byte. The figures are
 * printed. {@code -Dtest=ConsoleMeasurement -Dbeefs.inodes=1000000}.
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class ConsoleMeasurement {
    private static final int DESKTOPS = 500;
    private static final int TIMES = 20;
    private static final List<String> PAGES = List.of(
            "/",
            "/desktops",
            "/desktops/desk7",
            "/files",
            "/files?name=Report+1+of+00",
            "/files?usage=yes",
            "/replication",
            "/without",
            "/without?off=desk1",
            "/clients",
            "/events",
            "/recovery",
            "/settings",
            "/api/v1/desktops");

    @TempDir
    private Path folder;

    @Test
    void shouldShowPagesOfALargeHive() throws IOException {
        TestHive hive = new TestHive();
        for (int i = 1; i <= DESKTOPS; i++) {
            new TestDesktop(hive, "desk" + i).registered();
        }
        LargeHive.fill(hive.queenBee().state(), Integer.getInteger("beefs.inodes"));
        ConsoleHive console = new ConsoleHive(hive, folder);
        String password = console.accounts().set("admin", Role.ADMINISTRATOR).password();
        InetSocketAddress free = Addresses.parse("127.0.0.1:0");
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                WebServer server = WebServer.open(free, false, console.parts(), executor);
                Browser browser = new Browser("http://" + Addresses.format(server.address()) + "/")) {
            assertThat(browser.login("admin", password)).isTrue();
            PAGES.forEach(page -> measure(page, () -> browser.page(page)));
            measure("a snapshot", console.model()::refresh);
        }
    }

    private static void measure(String what, Runnable action) {
        long[] nanos = new long[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long began = System.nanoTime();
            action.run();
            nanos[i] = System.nanoTime() - began;
        }
        long first = nanos[0];
        Arrays.sort(nanos);
        System.out.printf(
                "%-30s first %.1f ms, median %.1f ms, slowest %.1f ms%n",
                what, first / 1e6, nanos[TIMES / 2] / 1e6, nanos[TIMES - 1] / 1e6);
    }
}
