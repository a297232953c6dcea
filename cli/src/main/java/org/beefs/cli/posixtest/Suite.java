package org.beefs.cli.posixtest;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A test suite that comes as a program. */
public interface Suite {
    /** Name of the suite and of its program. */
    String name();

    /** How many tests it has, as far as that is known before. */
    int size();

    /** Why it cannot run here, other than that its program is missing. */
    Optional<String> obstacle();

    /**
     * Runs all of it. An interrupt kills what runs.
     *
     * @param places where it may make files
     * @param each called after each test
     * @return what became of each test, in the suite's order
     * @throws IOException when the suite cannot be run or says nothing that is understood
     */
    List<Outcome> run(Places places, Runnable each) throws IOException, InterruptedException;
}
