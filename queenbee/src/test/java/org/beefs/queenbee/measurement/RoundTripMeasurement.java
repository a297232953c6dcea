package org.beefs.queenbee.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.server.ServerWorld;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TcpDesktop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a desktop waits for attributes that only the queen-bee knows: one request after another over loopback, after
 * a warm-up. The figures are printed. {@code -Dtest=RoundTripMeasurement -Dbeefs.requests=100000}.
 */
@EnabledIfSystemProperty(named = "beefs.requests", matches = "\\d+")
class RoundTripMeasurement {
    @TempDir
    private Path folder;

    @Test
    void shouldAnswerAtOnce() throws IOException {
        long[] nanos = new long[Integer.getInteger("beefs.requests")];
        SystemTimers timers = new SystemTimers();
        try (TcpNetwork network = new TcpNetwork(QueenBeeServer.NETWORK_THREADS);
                TcpNetwork elsewhere = new TcpNetwork();
                QueenBeeServer server = open(network, timers)) {
            TcpDesktop desktop = new TcpDesktop(elsewhere, timers, server.address(), "desk");
            measure(desktop, nanos);
            measure(desktop, nanos);
        } finally {
            timers.close();
        }
        Arrays.sort(nanos);
        System.out.printf(
                "getattr at the queen-bee: median %.1f us, 99 of 100 within %.1f us, load average %.1f%n",
                nanos[nanos.length / 2] / 1e3,
                nanos[nanos.length / 100 * 99] / 1e3,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static void measure(TcpDesktop desktop, long[] nanos) {
        for (int i = 0; i < nanos.length; i++) {
            long began = System.nanoTime();
            assertThat(desktop.ask(Ask.attributes(Namespace.ROOT)).join().hasNode())
                    .isTrue();
            nanos[i] = System.nanoTime() - began;
        }
    }

    private QueenBeeServer open(TcpNetwork network, SystemTimers timers) throws IOException {
        QueenBeeConfig config = QueenBeeConfig.of("127.0.0.1:0", Path.of("queenbee"));
        return QueenBeeServer.open(new ServerWorld(
                folder, config, new SystemClock(), timers, network, new Random(1), new OperationTimes<>()));
    }
}
