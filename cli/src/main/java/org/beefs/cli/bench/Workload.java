package org.beefs.cli.bench;

import java.io.IOException;
import java.util.List;

/** What a benchmark does in a folder. Closing it removes what was prepared for it. */
interface Workload extends AutoCloseable {
    /** What is measured, in its order. What is left in the folder afterwards is removed. */
    List<Phase> phases();

    /** What it works on, for the report. */
    Subject subject();

    @Override
    default void close() throws IOException {}

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
    record Subject(String source, int folders, int files, long bytes, String compile) {
        static Subject of(SourceTree tree, String compile) {
            return new Subject(
                    tree.top().toString(), tree.folders().size(), tree.files().size(), tree.bytes(), compile);
        }
    }
}
