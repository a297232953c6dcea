package org.beefs.queenbee.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.common.wire.RecordsState;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.drill.DrillView;
import org.beefs.queenbee.console.model.drill.Drills;
import org.beefs.queenbee.journal.DiskSpace;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.recovery.CatalogAccess;
import org.beefs.queenbee.recovery.CollectedRecords;
import org.beefs.queenbee.recovery.CollectionListener;
import org.beefs.queenbee.recovery.RecordSource;
import org.beefs.queenbee.server.NamespaceAccess;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a drill of the recovery costs: processor time altogether and of the namespace thread, of which also the longest
 * pass, and heap. Its rests are left out. The figures are printed, the first time in a JVM that is not warm.
 * {@code -Dtest=DrillMeasurement -Dbeefs.inodes=200000}.
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class DrillMeasurement {
    private static final int DESKTOPS = 3;
    private static final int TIMES = 3;
    private static final int PAGE = 5000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private final Map<String, TestDesktop> desktops = new TreeMap<>();
    private final List<Long> passes = new ArrayList<>();

    @Test
    void shouldLeaveTheNamespaceThreadAlone() throws IOException {
        for (int i = 1; i <= DESKTOPS; i++) {
            desktops.put("desk" + i + ":1", new TestDesktop(hive, "desk" + i).registered());
        }
        LargeHive.fill(hive.queenBee().state(), Integer.getInteger("beefs.inodes"));
        hive.advance(Duration.ofSeconds(10));
        ConsoleModel model = new ConsoleModel(
                new Measured(),
                new OperationTimes<>(),
                folder,
                hive.time(),
                (_, _) -> () -> {},
                Runnable::run,
                _ -> {},
                new Drills.World(Catalogs::new, Runnable::run, hive::advance, () -> Long.MAX_VALUE),
                () -> DiskSpace.UNKNOWN);
        for (int i = 0; i < TIMES; i++) {
            measure(model.drills());
        }
        measureHeap();
    }

    private void measure(Drills drills) {
        passes.clear();
        long began = THREADS.getCurrentThreadCpuTime();
        drills.begin("measurement");
        long took = THREADS.getCurrentThreadCpuTime() - began;
        assertThat(drills.view().state()).as(drills.view().toString()).isEqualTo(DrillView.PASSED);
        long[] sorted = passes.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                "%s CPU %.0f ms, of the namespace thread %.0f ms in %d questions, median %.3f ms, 99 of 100 %.3f ms, longest %.3f ms%n",
                drills.view().summary(),
                took / 1e6,
                Arrays.stream(sorted).sum() / 1e6,
                sorted.length,
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length * 99 / 100] / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    /** All of it is there before the tree is put together. */
    private void measureHeap() throws IOException {
        List<Catalog> catalogs = desktops.values().stream().map(Catalog::new).toList();
        long before = usedHeap();
        CollectedRecords collected = CollectedRecords.read(catalogs, new Silent());
        long after = usedHeap();
        assertThat(collected.tree(hive.time().now()).size())
                .isEqualTo(hive.queenBee().state().namespace().size());
        System.out.printf(
                "heap of what was collected: %d bytes for an inode%n",
                (after - before) / hive.queenBee().state().namespace().size());
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private final class Measured implements NamespaceAccess {
        @Override
        public <T> CompletableFuture<T> ask(Function<QueenState, T> question) {
            CompletableFuture<T> answer = hive.queenBee().ask(question);
            long began = THREADS.getCurrentThreadCpuTime();
            hive.run();
            passes.add(THREADS.getCurrentThreadCpuTime() - began);
            return answer;
        }

        @Override
        public CompletableFuture<QueenReply> request(QueenRequest request) {
            CompletableFuture<QueenReply> reply = hive.queenBee().request(request);
            hive.run();
            return reply;
        }
    }

    private final class Catalogs implements CatalogAccess {
        @Override
        public RecordSource connect(String address, ByteString honeycomb, int catalogs) {
            return new Catalog(Objects.requireNonNull(desktops.get(address)));
        }

        @Override
        public void close() {}
    }

    /** As a desktop has it, in large pages. */
    private static final class Catalog implements RecordSource {
        private final String name;
        private final RecordsState state;
        private final TreeMap<Long, Record> records;

        Catalog(TestDesktop desktop) {
            name = desktop.name();
            state = desktop.recordsState();
            records = new TreeMap<>(desktop.records());
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public CompletableFuture<RecordPage> page(long from) {
            RecordPage page = RecordPage.newBuilder()
                    .setHoneycomb(ByteString.copyFromUtf8(name))
                    .setState(state)
                    .setAll(records.size())
                    .addAllRecords(
                            records.tailMap(from).values().stream().limit(PAGE).toList())
                    .build();
            return CompletableFuture.completedFuture(page);
        }
    }

    private static final class Silent implements CollectionListener {
        @Override
        public void reached(long done, long all) {}

        @Override
        public void leftOut(long inode, String catalog) {
            throw new AssertionError("inode " + inode);
        }

        @Override
        public void damaged(long inode, String catalog, IOException cause) throws IOException {
            throw cause;
        }
    }
}
