package org.beefs.integration.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.program.Await;

/** Several workers at once. Ends them when it is closed. For one thread. */
public final class Workload implements AutoCloseable {
    /** How long none of them may get on, as for {@link Worker}. */
    private static final Duration STANDSTILL = Duration.ofMinutes(2);

    private final List<Worker> workers = new ArrayList<>();

    public void add(Worker worker) {
        workers.add(worker);
    }

    /** Waits until every worker has got on by so many acknowledgements, which also proves that none is stuck. */
    public void awaitProgress(int acknowledgements) {
        List<Integer> before = workers.stream().map(Worker::acknowledgements).toList();
        for (int i = 0; i < workers.size(); i++) {
            Worker worker = workers.get(i);
            int wanted = before.get(i) + acknowledgements;
            Await.until(STANDSTILL, "every worker gets on", () -> {
                worker.check();
                return worker.acknowledgements() >= wanted;
            });
        }
    }

    public void end() {
        workers.forEach(Worker::end);
    }

    /** Compares what was acknowledged to all of them with what a mount shows. */
    public void verify(Path mount) {
        workers.forEach(worker -> worker.verify(mount));
    }

    @Override
    public void close() {
        for (Worker worker : workers) {
            try {
                worker.end();
            } catch (AssertionError alreadyTold) {
                // The test has failed before, or end() would have been called and would have told it.
            }
        }
    }
}
