package org.beefs.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.cli.process.ProcessUsage.OfThread;

/**
 * What a process has used of the machine, from /proc: processor time and context switches of each of its threads, which
 * other work on the machine hardly changes as it does times.
 *
 * @param threads by their number; those that have ended are not among them
 * @param residentBytes of its memory that are in the machine's
 */
public record ProcessUsage(Map<Long, OfThread> threads, long residentBytes) {
    /** Nothing yet. */
    public static final ProcessUsage NONE = new ProcessUsage(Map.of(), 0);

    private static final Pattern SWITCHES = Pattern.compile("voluntary_ctxt_switches:\\s*(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");
    private static final Pattern ON_PROCESSOR = Pattern.compile("^(\\d+) ");

    public ProcessUsage {
        threads = Map.copyOf(threads);
    }

    /**
     * A thread's part since it began.
     *
     * @param cpuNanos that it was on a processor
     * @param switches away from it, whether it waited or was pushed away
     */
    public record OfThread(String name, long cpuNanos, long switches) {
        private OfThread since(OfThread earlier) {
            return new OfThread(name, cpuNanos - earlier.cpuNanos, switches - earlier.switches);
        }
    }

    /** Of a living process. Fails when it has ended. */
    public static ProcessUsage of(long pid) throws IOException {
        return of(Path.of("/proc"), pid);
    }

    static ProcessUsage of(Path proc, long pid) throws IOException {
        Path process = proc.resolve(Long.toString(pid));
        Map<Long, OfThread> threads = new LinkedHashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                try {
                    threads.put(Long.parseLong(task.getFileName().toString()), thread(task));
                } catch (IOException e) {
                    requireEnded(task, e);
                }
            }
        }
        return new ProcessUsage(threads, 1024 * sum(RESIDENT, text(process.resolve("status"))));
    }

    /** One that has ended meanwhile has no files any more, and one that ends while they are read fails to be read. */
    private static void requireEnded(Path task, IOException failure) throws IOException {
        if (!(failure instanceof NoSuchFileException) && Files.exists(task)) {
            throw failure;
        }
    }

    /** What came after an earlier look, and the memory of now. What ended in between is left out. */
    public ProcessUsage since(ProcessUsage earlier) {
        Map<Long, OfThread> later = new LinkedHashMap<>();
        threads.forEach((number, thread) -> {
            OfThread before = earlier.threads.get(number);
            later.put(number, before == null ? thread : thread.since(before));
        });
        return new ProcessUsage(later, residentBytes);
    }

    /** Both processes together. */
    public ProcessUsage plus(ProcessUsage other) {
        Map<Long, OfThread> both = new LinkedHashMap<>(threads);
        both.putAll(other.threads);
        return new ProcessUsage(both, residentBytes + other.residentBytes);
    }

    /** Of all threads. */
    public long cpuNanos() {
        return cpuNanos(_ -> true);
    }

    /** Of the threads of such names. */
    public long cpuNanos(Predicate<String> names) {
        return threads.values().stream()
                .filter(thread -> names.test(thread.name))
                .mapToLong(OfThread::cpuNanos)
                .sum();
    }

    /** Of all threads. */
    public long switches() {
        return threads.values().stream().mapToLong(OfThread::switches).sum();
    }

    private static OfThread thread(Path task) throws IOException {
        return new OfThread(
                text(task.resolve("comm")).strip(),
                sum(ON_PROCESSOR, text(task.resolve("schedstat"))),
                sum(SWITCHES, text(task.resolve("status"))));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** Of all numbers that the pattern finds. */
    private static long sum(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        long sum = 0;
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(1));
        }
        return sum;
    }
}
