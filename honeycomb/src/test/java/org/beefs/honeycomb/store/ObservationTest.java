package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.beefs.common.wire.ReplicaStatus;
import org.junit.jupiter.api.Test;

class ObservationTest {
    private static final int WRITERS = 4;
    private static final int WRITES = 300;

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldNumberObservationsInTheirOrder() {
        long first = fixture.status(target(5)).getObservation();
        long second = fixture.write(target(5), 0, "x").getObservation();
        long third = fixture.store.sync(target(5), false).join().getObservation();
        assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldNumberObservationsHigherAfterARestart() {
        long before = fixture.write(target(5), 0, "x").getObservation();
        fixture.restart();
        assertThat(fixture.status(target(5)).getObservation()).isGreaterThan(before);
    }

    @Test
    void shouldShowInTheHighestObservationWhatAllWritersWrote() throws Exception {
        List<ReplicaStatus> statuses = inParallel(writer -> writes(i -> {
            long offset = (long) (i * WRITERS + writer) * 3;
            return fixture.write(target(5), offset, "abc");
        }));

        ReplicaStatus last = statuses.stream()
                .max(Comparator.comparingLong(ReplicaStatus::getObservation))
                .orElseThrow();
        assertThat(last.getSize()).isEqualTo(3L * WRITERS * WRITES);
        statuses.sort(Comparator.comparingLong(ReplicaStatus::getObservation));
        assertThat(statuses.stream().map(ReplicaStatus::getSize)).isSorted();
        assertThat(statuses.stream().map(ReplicaStatus::getObservation)).doesNotHaveDuplicates();
    }

    @Test
    void shouldAppendEachContentAsOne() throws Exception {
        inParallel(writer -> writes(i -> fixture.append(target(5), "<%d:%04d>".formatted(writer, i))));

        int record = "<0:0000>".length();
        Set<String> records = new HashSet<>();
        for (int i = 0; i < WRITERS * WRITES; i++) {
            records.add(fixture.read(target(5), (long) i * record, record));
        }
        assertThat(records).hasSize(WRITERS * WRITES).allMatch(text -> text.matches("<\\d:\\d{4}>"));
    }

    private interface Write {
        ReplicaStatus number(int i);
    }

    private interface Writer {
        List<ReplicaStatus> run(int number);
    }

    private static List<ReplicaStatus> writes(Write write) {
        List<ReplicaStatus> statuses = new ArrayList<>();
        for (int i = 0; i < WRITES; i++) {
            statuses.add(write.number(i));
        }
        return statuses;
    }

    private static List<ReplicaStatus> inParallel(Writer writer) throws Exception {
        List<Callable<List<ReplicaStatus>>> tasks = new ArrayList<>();
        for (int number = 0; number < WRITERS; number++) {
            int which = number;
            tasks.add(() -> writer.run(which));
        }
        List<ReplicaStatus> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            for (Future<List<ReplicaStatus>> future : threads.invokeAll(tasks)) {
                all.addAll(future.get());
            }
        }
        return all;
    }
}
