package org.beefs.cli.posixtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.cli.posixtest.Outcome.Verdict;

/** pjdfstest: system calls, their errors, and what they do to attributes. */
public final class Pjdfstest implements Suite {
    private static final int TESTS = 398;
    private static final Pattern LINE = Pattern.compile("^(\\S+?)::(\\S+)\\s+(ok|FAILED|skipped)$");

    /** Its two unprivileged users are in every Debian. */
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

    @Override
    public String name() {
        return "pjdfstest";
    }

    @Override
    public int size() {
        return TESTS;
    }

    @Override
    public Optional<String> obstacle() {
        return "root".equals(System.getProperty("user.name"))
                ? Optional.empty()
                : Optional.of("it acts as several users, so root must run it");
    }

    @Override
    public List<Outcome> run(Places places, Runnable each) throws IOException, InterruptedException {
        Path configuration = Files.writeString(places.scratch().resolve("pjdfstest.toml"), CONFIGURATION);
        Path inside = Files.createDirectories(places.tested().resolve(nameThatSuits(places.tested())));
        Reader reader = new Reader(each);
        List<String> command = List.of(
                SuiteProgram.find(name()).map(Path::toString).orElse(name()),
                "-c",
                configuration.toString(),
                "-p",
                inside.toString(),
                "-s",
                places.scratch().toString());
        int exitCode = SuiteProgram.run(command, places.scratch(), reader::accept);
        if (reader.outcomes.isEmpty()) {
            throw new IOException("pjdfstest ended with " + exitCode + ": " + String.join(" ", reader.unread));
        }
        return List.copyOf(reader.outcomes);
    }

    static List<Outcome> parse(String output) {
        Reader reader = new Reader(() -> {});
        output.lines().forEach(reader::accept);
        return reader.outcomes;
    }

    /**
     * The suite fails on its own at some lengths of its folder: it fills paths to 4095 bytes with names of 126 bytes
     * and a slash, and cannot when nothing is left over. It appends 22 characters.
     */
    private static String nameThatSuits(Path folder) {
        int length = folder.toString().length() + "/pj".length() + 22;
        return (4095 - length) % 127 < 2 ? "pjdfs" : "pj";
    }

    /** Reads verdicts; of the lines that follow one, those that are indented by a tab say why. */
    private static final class Reader {
        private static final int SHOWN_LINES = 20;

        private final List<Outcome> outcomes = new ArrayList<>();
        private final List<String> unread = new ArrayList<>();
        private final Runnable each;

        Reader(Runnable each) {
            this.each = each;
        }

        void accept(String line) {
            Matcher verdict = LINE.matcher(line);
            if (verdict.matches()) {
                outcomes.add(
                        new Outcome("pjdfstest", verdict.group(1), verdict.group(2), verdict(verdict.group(3)), ""));
                each.run();
            } else if (line.startsWith("\t") && !outcomes.isEmpty()) {
                explain(line.strip());
            } else if (outcomes.isEmpty() && unread.size() < SHOWN_LINES) {
                unread.add(line.strip());
            }
        }

        private void explain(String reason) {
            Outcome last = outcomes.removeLast();
            String detail = last.detail().isEmpty() ? reason : last.detail() + "; " + reason;
            outcomes.add(new Outcome(last.suite(), last.area(), last.test(), last.verdict(), detail));
        }

        private static Verdict verdict(String word) {
            return switch (word) {
                case "ok" -> Verdict.PASSED;
                case "skipped" -> Verdict.SKIPPED;
                default -> Verdict.FAILED;
            };
        }
    }
}
