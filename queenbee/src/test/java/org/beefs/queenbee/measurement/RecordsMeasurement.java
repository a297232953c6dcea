package org.beefs.queenbee.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.InodeListener;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.server.ServerWorld;
import org.beefs.queenbee.testing.TcpDesktop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What it costs the namespace thread that catalogs are told of all changes: its processor time for as many files that a
 * desktop makes, with and without. Everything is as in a hive, on a disk and over loopback, but that honeycombs say yes
 * to all. The figures are printed.
 *
 * <p>{@code -Dtest=RecordsMeasurement -Dbeefs.inodes=20000 -Dbeefs.honeycombs=3}
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class RecordsMeasurement {
    /** Until the JVM has compiled everything. */
    private static final int WARM_UP = 8;

    private static final int ROUNDS = 61;
    private static final int FILES_AT_ONCE = 64;
    private static final int HONEYCOMBS = Integer.getInteger("beefs.honeycombs", 3);

    @TempDir
    private Path temporary;

    private int runs;

    @Test
    void shouldTellWhatRecordsCost() throws IOException {
        int files = Integer.getInteger("beefs.inodes");
        double[] without = new double[ROUNDS];
        double[] records = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            boolean first = round % 2 == 0; // what a machine does by and by meets both
            double one = nanosOfServer(files, first) / (double) files;
            double other = nanosOfServer(files, !first) / (double) files;
            if (round >= 0) {
                without[round] = first ? other : one;
                records[round] = first ? one - other : other - one;
            }
        }
        Arrays.sort(without);
        Arrays.sort(records);
        System.out.printf(
                "a file takes %.0f ns without records (quartiles %.0f and %.0f), which add %.0f ns (%.0f and %.0f): %.1f %%%n",
                without[ROUNDS / 2],
                without[ROUNDS / 4],
                without[ROUNDS * 3 / 4],
                records[ROUNDS / 2],
                records[ROUNDS / 4],
                records[ROUNDS * 3 / 4],
                100 * records[ROUNDS / 2] / without[ROUNDS / 2]);
    }

    private long nanosOfServer(int files, boolean told) throws IOException {
        SystemTimers timers = new SystemTimers();
        try (TcpNetwork network = new TcpNetwork(QueenBeeServer.NETWORK_THREADS);
                TcpNetwork elsewhere = new TcpNetwork();
                QueenBeeServer server = QueenBeeServer.open(new ServerWorld(
                        temporary.resolve("server" + runs++),
                        QueenBeeConfig.of("127.0.0.1:0", Path.of("queenbee")),
                        new SystemClock(),
                        timers,
                        network,
                        new Random(1),
                        new OperationTimes<>()))) {
            TcpDesktop desktop = new TcpDesktop(elsewhere, timers, server.address(), registration(0));
            for (int further = 1; further < HONEYCOMBS; further++) {
                new TcpDesktop(elsewhere, timers, server.address(), registration(further));
            }
            long began = server.ask(state -> {
                        if (!told) {
                            state.namespace().setListener(InodeListener.NONE);
                        }
                        return threadNanos();
                    })
                    .join();
            make(files, desktop);
            long nanos = server.ask(state -> threadNanos()).join() - began;
            assertThat(wasToldRecords(desktop)).isEqualTo(told);
            return nanos;
        } finally {
            timers.close();
        }
    }

    /** Beside what every catalog hears at first. */
    private static boolean wasToldRecords(TcpDesktop desktop) {
        return List.copyOf(desktop.received()).stream()
                .filter(frame -> frame.kind() == Frame.Kind.REQUEST)
                .anyMatch(frame -> {
                    try {
                        DesktopRequest request = DesktopRequest.parseFrom(frame.message());
                        return request.getRecords().getRecordsCount() > FILES_AT_ONCE;
                    } catch (InvalidProtocolBufferException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    private static void make(int files, TcpDesktop desktop) {
        FileRequests requests = new FileRequests();
        for (int made = 0; made < files; made += FILES_AT_ONCE) {
            List<QueenRequest.Builder> batch = requests.next(FILES_AT_ONCE);
            List<CompletableFuture<QueenReply>> answers = new ArrayList<>();
            batch.forEach(request -> answers.add(desktop.ask(request)));
            for (int i = 0; i < batch.size(); i++) {
                requests.answered(batch.get(i), answers.get(i).join());
            }
        }
    }

    private static Register.Builder registration(int number) {
        return Register.newBuilder()
                .setDesktop("desk" + number)
                .setProcess(1)
                .setAcknowledged(1)
                .setHoneycomb(HoneycombOffer.newBuilder()
                        .setUuid(ByteString.copyFromUtf8("sixteen bytes " + (10 + number)))
                        .setBoot(1));
    }

    private static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
