package org.beefs.queenbee.measurement;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.rpc.TcpNetwork;
import org.beefs.common.time.SystemClock;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TcpDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What it costs the namespace thread that catalogs are told of all changes: the processor time of as many requests with honeycombs
 * that answer at once, each of which has all records, and without. A batch of requests stands for 10 ms. The difference is taken with a state in memory, because
 * RocksDB's own work varies more than that; what a request takes altogether, with RocksDB. The figures are printed.
 *
 * <p>{@code -Dtest=RecordsMeasurement -Dbeefs.inodes=50000 -Dbeefs.honeycombs=3}
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class RecordsMeasurement {
    /** Until the JVM has compiled everything. */
    private static final int WARM_UP = 8;

    private static final int ROUNDS = 21;
    private static final int REQUESTS_IN_PASS = 256;
    private static final int FILES_IN_DIRECTORY = 24;

    /** No more than places that each record has. */
    private static final int HONEYCOMBS = Integer.getInteger("beefs.honeycombs", 1);

    @TempDir
    private Path temporary;

    private int runs;

    @Test
    void shouldTellWhatRecordsCost() throws IOException {
        int requests = Integer.getInteger("beefs.inodes");
        double[] records = new double[ROUNDS];
        double[] whole = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double without = nanosOfThread(new MemoryStateStore(), requests, false);
            double with = nanosOfThread(new MemoryStateStore(), requests, true);
            double onDisk = nanosOnDisk(requests);
            if (round >= 0) {
                records[round] = (with - without) / requests;
                whole[round] = onDisk / requests;
            }
        }
        Arrays.sort(records);
        Arrays.sort(whole);
        double median = records[ROUNDS / 2];
        System.out.printf(
                "records take %.0f ns of a request (quartiles %.0f and %.0f), which takes %.0f ns without: %.1f %%%n",
                median,
                records[ROUNDS / 4],
                records[ROUNDS * 3 / 4],
                whole[ROUNDS / 2],
                100 * median / whole[ROUNDS / 2]);
    }

    /** The same for a queen-bee with a disk and a network, on which every answer and every record goes out. */
    @Test
    void shouldTellWhatRecordsCostOfAllThatAQueenBeeDoes() throws IOException {
        int requests = Integer.getInteger("beefs.inodes");
        double[] without = new double[ROUNDS];
        double[] with = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double quiet = nanosOfServer(requests, false) / (double) requests;
            double telling = nanosOfServer(requests, true) / (double) requests;
            if (round >= 0) {
                without[round] = quiet;
                with[round] = telling;
            }
        }
        Arrays.sort(without);
        Arrays.sort(with);
        System.out.printf(
                "over the network a request takes %.0f ns without records (quartiles %.0f and %.0f), %.0f ns with (%.0f and %.0f):"
                        + " %.1f %%%n",
                without[ROUNDS / 2],
                without[ROUNDS / 4],
                without[ROUNDS * 3 / 4],
                with[ROUNDS / 2],
                with[ROUNDS / 4],
                with[ROUNDS * 3 / 4],
                100 * (with[ROUNDS / 2] / without[ROUNDS / 2] - 1));
    }

    private long nanosOfServer(int requests, boolean told) throws IOException {
        SystemTimers timers = new SystemTimers();
        try (TcpNetwork network = new TcpNetwork(QueenBeeServer.NETWORK_THREADS);
                TcpNetwork elsewhere = new TcpNetwork();
                QueenBeeServer server = QueenBeeServer.open(
                        temporary.resolve("server" + runs++),
                        QueenBeeConfig.of("127.0.0.1:0", Path.of("queenbee")),
                        new SystemClock(),
                        timers,
                        network,
                        new Random(1))) {
            TcpDesktop desktop = new TcpDesktop(elsewhere, timers, server.address(), registration(0, told));
            for (int further = 1; further < HONEYCOMBS; further++) {
                new TcpDesktop(elsewhere, timers, server.address(), registration(further, told));
            }
            long began = server.ask(state -> threadNanos()).join();
            askAll(desktop, requests);
            return server.ask(state -> threadNanos()).join() - began;
        } finally {
            timers.close();
        }
    }

    /** Always so many at a time as a pass may take. */
    private static void askAll(TcpDesktop desktop, int requests) {
        long parent = Namespace.ROOT;
        for (int done = 0; done < requests; done += REQUESTS_IN_PASS) {
            List<CompletableFuture<QueenReply>> asked = new ArrayList<>();
            for (int number = done; number < done + REQUESTS_IN_PASS; number++) {
                QueenRequest.Builder request =
                        request(number, parent).setSequence(number + 1).setAcknowledged(Math.max(1, done));
                asked.add(desktop.ask(request));
            }
            for (CompletableFuture<QueenReply> answer : asked) {
                int mode = answer.join().getNode().getAttributes().getMode();
                parent = FileMode.isDirectory(mode)
                        ? answer.join().getNode().getAttributes().getInode()
                        : parent;
            }
        }
    }

    private double nanosOnDisk(int requests) throws IOException {
        try (RocksStateStore store = RocksStateStore.open(temporary.resolve("run" + runs++))) {
            return nanosOfThread(store, requests, false);
        }
    }

    private static long nanosOfThread(StateStore store, int requests, boolean told) throws IOException {
        TestHive hive = new TestHive(store);
        Answering desktop = new Answering();
        long session = register(hive, desktop, 0, told);
        for (int further = 1; further < HONEYCOMBS; further++) {
            register(hive, new Answering(), further, told);
        }
        long parent = Namespace.ROOT;
        long began = threadNanos();
        for (int done = 0; done < requests; done += REQUESTS_IN_PASS) {
            parent = runPass(hive, desktop, session, parent, done);
        }
        long nanos = threadNanos() - began;
        hive.queenBee().close();
        return nanos;
    }

    private static long register(TestHive hive, Answering desktop, int number, boolean told) {
        CompletableFuture<QueenReply> registered = hive.submit(
                QueenRequest.newBuilder()
                        .setRegister(registration(number, told))
                        .build(),
                desktop);
        hive.run();
        return registered.join().getRegistered().getSession();
    }

    private static Register.Builder registration(int number, boolean told) {
        Register.Builder register =
                Register.newBuilder().setDesktop("desk" + number).setProcess(1).setAcknowledged(1);
        if (told) {
            register.setHoneycomb(HoneycombOffer.newBuilder()
                    .setUuid(ByteString.copyFromUtf8("sixteen bytes " + (10 + number)))
                    .setBoot(1));
        }
        return register;
    }

    private static long runPass(TestHive hive, Answering desktop, long session, long parent, int done) {
        long directory = parent;
        CompletableFuture<QueenReply> made = null;
        for (int i = 0; i < REQUESTS_IN_PASS; i++) {
            int number = done + i;
            QueenRequest.Builder request = request(number, directory);
            request.setSession(session).setSequence(number + 1).setAcknowledged(Math.max(1, done));
            CompletableFuture<QueenReply> reply = hive.submit(request.build(), desktop);
            made = number % FILES_IN_DIRECTORY == 0 ? reply : made;
        }
        hive.run();
        hive.advance(Duration.ofMillis(10));
        return made == null ? parent : made.join().getNode().getAttributes().getInode();
    }

    private static QueenRequest.Builder request(int number, long directory) {
        return number % FILES_IN_DIRECTORY == 0
                ? Ask.mkdir(Namespace.ROOT, "Project " + number, 0755)
                : Ask.mknod(directory, "Report " + number, FileMode.FIFO | 0644);
    }

    private static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static final class Answering implements DesktopConnection {
        @Override
        public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
            return CompletableFuture.completedFuture(DesktopReply.getDefaultInstance());
        }

        @Override
        public void close() {}

        @Override
        public String peer() {
            return "desk";
        }
    }
}
