package org.beefs.integration.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;

/** The POSIX conformance suite pjdfstest. */
public final class Pjdfstest {
    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final Pattern LINE = Pattern.compile("^(\\S+::\\S+)\\s+(ok|FAILED|skipped)$");
    private static final String CONFIGURATION = """
            [features]
            posix_fallocate={}
            rename_ctime={}
            utime_now={}
            utimensat={}
            [settings]
            naptime=0.01
            allow_remount=false
            [dummy_auth]
            entries=[["nobody","nogroup"],["daemon","daemon"]]
            """;

    /** What became of one of its tests. */
    public enum Verdict {
        PASSED,
        FAILED,
        SKIPPED
    }

    private Pjdfstest() {}

    /**
     * Runs all of it.
     *
     * @param folder on the file system that is tested
     * @param other a folder on another one
     * @return verdicts by name, such as {@code chmod::enotdir}
     */
    public static Map<String, Verdict> run(Path folder, Path other) {
        try {
            Path configuration = Files.writeString(other.resolve("pjdfstest.toml"), CONFIGURATION);
            Path inside = Files.createDirectories(folder.resolve(nameThatSuits(folder)));
            Result result = Program.of(
                            Requirements.path("pjdfstest"),
                            "-c",
                            configuration.toString(),
                            "-p",
                            inside.toString(),
                            "-s",
                            other.toString())
                    .within(DEADLINE)
                    .runToAnyEnd();
            Files.writeString(other.resolve("pjdfstest.log"), result.output() + result.errors());
            return parse(result.output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Verdict> parse(String output) {
        Map<String, Verdict> verdicts = new TreeMap<>();
        output.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> verdicts.put(
                        line.group(1),
                        switch (line.group(2)) {
                            case "ok" -> Verdict.PASSED;
                            case "skipped" -> Verdict.SKIPPED;
                            default -> Verdict.FAILED;
                        }));
        return verdicts;
    }

    /**
     * The suite fails on its own at some lengths of its folder: it fills paths to 4095 bytes with names of 126 bytes and a slash, and
     * cannot when nothing is left over. It appends 22 characters.
     */
    private static String nameThatSuits(Path folder) {
        int length = folder.toString().length() + "/pj".length() + 22;
        return (4095 - length) % 127 < 2 ? "pjdfs" : "pj";
    }
}
