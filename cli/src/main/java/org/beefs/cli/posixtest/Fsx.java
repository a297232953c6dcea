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

/**
 * fsx: random reads, writes, truncations and mappings of a file, against a model. Each seed is a test, with a file of
 * its own.
 */
public final class Fsx implements Suite {
    private static final int SHOWN_LINES = 3;

    /** Each waits for the file system most of the time. */
    private static final int AT_ONCE = 5;

    /** How often a file is mapped; an invalidation, which maps it too, is as often as other rare steps. */
    private static final double OFTEN = 5;

    private final int seeds;
    private final int operations;
    private final double mappings;

    /**
     * @param seeds 1 to this
     * @param operations with each seed
     */
    public Fsx(int seeds, int operations) {
        this(seeds, operations, OFTEN);
    }

    private Fsx(int seeds, int operations, double mappings) {
        this.seeds = seeds;
        this.operations = operations;
        this.mappings = mappings;
    }

    /** The same for a file system on which nothing can be mapped with MAP_SHARED. */
    public Fsx withoutMappings() {
        return new Fsx(seeds, operations, 0);
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
        Path configuration = Files.writeString(places.scratch().resolve("fsx.toml"), configuration());
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

    private String configuration() {
        return """
            [opsize]
            min = 1
            [weights]
            close_open = 1.0
            invalidate = %2$s
            mapread = %1$s
            mapwrite = %1$s
            read = 10.0
            write = 10.0
            truncate = 5.0
            fsync = 1.0
            fdatasync = 1.0
            posix_fallocate = 2.0
            punch_hole = 2.0
            sendfile = 2.0
            copy_file_range = 2.0
            """.formatted(mappings, mappings / OFTEN);
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
