package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a benchmark does in a folder. */
interface Workload {
    /** What is measured, in its order: each phase works on what the ones before it made. */
    List<Phase> phases();

    /**
     * Does a phase's work. An interrupt ends it after the current file.
     *
     * @param folder of one round, which is empty before the first phase; what is left in it is removed afterwards
     */
    void run(Phase phase, Path folder) throws IOException, InterruptedException;

    /** What it works on, for the report. */
    Subject subject();

    /** Ends the phase of a thread that was interrupted. */
    static void goOnUnlessInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * What a benchmark works on.
     *
     * @param source what is copied, or what is made
     * @param bytes of all files
     * @param compile the command that builds it; empty where nothing is built
     */
    record Subject(String source, int folders, int files, long bytes, String compile) {}
}
