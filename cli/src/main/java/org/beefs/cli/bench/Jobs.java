package org.beefs.cli.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same work by several at once. */
final class Jobs {
    private Jobs() {}

    /** What one of them does. */
    interface Job {
        /**
         * Does the job's part.
         *
         * @param number of the job, from 0
         */
        void run(int number) throws IOException, InterruptedException;
    }

    /** Ends when all have; fails as one that failed. An interrupt ends all. */
    static void run(int count, Job job) throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<Boolean>> ends = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                int own = number;
                ends.add(threads.submit(() -> {
                    job.run(own);
                    return true;
                }));
            }
            try {
                for (Future<Boolean> end : ends) {
                    end.get();
                }
            } catch (ExecutionException e) {
                throw new IOException("a job failed: " + e.getCause(), e);
            } finally {
                threads.shutdownNow();
            }
        }
    }
}
