package org.beefs.cli.posixtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.beefs.cli.posixtest.Outcome.Verdict;

/** fsx: random reads, writes, truncations and mappings of a file, against a model. Each seed is a test, with a file of its own. */
public final class Fsx implements Suite {
    private static final int SHOWN_LINES = 3;

    /** Each waits for the file system most of the time. */
    private static final int AT_ONCE = 5;

    private static final String CONFIGURATION = """
            [opsize]
            min = 1
            [weights]
            close_open = 1.0
            invalidate = 1.0
            mapread = 5.0
            mapwrite = 5.0
            read = 10.0
            write = 10.0
            truncate = 5.0
            fsync = 1.0
            fdatasync = 1.0
            posix_fallocate = 2.0
            punch_hole = 2.0
            sendfile = 2.0
            copy_file_range = 2.0
            """;

    private final int seeds;
    private final int operations;

    /**
     * @param seeds 1 to this
     * @param operations with each seed
     */
    public Fsx(int seeds, int operations) {
        this.seeds = seeds;
        this.operations = operations;
    }

    @Override
    public String name() {
        return "fsx";
    }

    @Override
    public int size() {
        return seeds;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public List<Outcome> run(Places places, Runnable each) throws IOException, InterruptedException {
        Path configuration = Files.writeString(places.scratch().resolve("fsx.toml"), CONFIGURATION);
        List<Callable<Outcome>> runs = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
            int number = seed;
            runs.add(() -> {
                Outcome outcome = run(number, places, configuration);
                each.run();
                return outcome;
            });
        }
        List<Outcome> outcomes = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<Outcome> run : executor.invokeAll(runs)) {
                outcomes.add(run.get());
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        return outcomes;
    }

    private Outcome run(int seed, Places places, Path configuration) throws IOException, InterruptedException {
        Deque<String> end = new ArrayDeque<>();
        List<String> command = List.of(
                SuiteProgram.find(name()).map(Path::toString).orElse(name()),
                "-N",
                Integer.toString(operations),
                "-S",
                Integer.toString(seed),
                "-f",
                configuration.toString(),
                "-P",
                places.scratch().toString(),
                places.tested().resolve("fsx-" + seed).toString());
        int exitCode = SuiteProgram.run(command, places.scratch(), line -> {
            end.addLast(line.strip());
            if (end.size() > SHOWN_LINES) {
                end.removeFirst();
            }
        });
        return exitCode == 0
                ? new Outcome(name(), "content", "seed " + seed, Verdict.PASSED, "")
                : new Outcome(name(), "content", "seed " + seed, Verdict.FAILED, String.join("; ", end));
    }
}
