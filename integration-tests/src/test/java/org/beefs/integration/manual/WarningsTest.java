package org.beefs.integration.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.integration.program.Folders;
import org.junit.jupiter.api.Test;

/** The manual for administrators says of every warning what it means, in the words that the programs use. */
class WarningsTest {
    private static final String LITERAL = "\"(?:[^\"\\\\]|\\\\.)*\"";

    /** A text of several parts, and what follows it in the call. */
    private static final Pattern LOGGED = Pattern.compile(
            "(?:LOG\\s*\\.(?:warn|error)|\\.log)\\(\\s*((?:" + LITERAL + "\\s*\\+?\\s*)+)(.*?)\\);", Pattern.DOTALL);

    private static final Pattern NOTED = Pattern.compile("(?<!void )note\\((.*?)\\);", Pattern.DOTALL);
    private static final Pattern PART = Pattern.compile(LITERAL);
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{}");
    private static final Pattern WORD = Pattern.compile("\\p{Alpha}");

    /** In the place of what is between brackets within a call, which has commas of its own. */
    private static final Pattern BRACKETS = Pattern.compile("\\([^()]*\\)");

    private final Manual manual = Manual.read();
    private final List<String> sources = Stream.of("common", "queenbee", "honeycomb", "honeybee", "cli")
            .map(module -> Folders.repository().resolve(module).resolve("src/main/java"))
            .flatMap(WarningsTest::files)
            .toList();

    @Test
    void shouldNameWarningsAsProgramsDo() {
        String all = String.join("\n", sources);

        assertThat(Stream.concat(manual.remarks().stream(), manual.logLines().stream()))
                .hasSizeGreaterThan(80)
                .allSatisfy(warning -> assertThat(all.contains(warning) || all.contains(enumerated(warning)))
                        .as("somebody says: " + warning)
                        .isTrue());
    }

    @Test
    void shouldExplainEachWarningOfTheLogs() {
        List<String> logged = sources.stream()
                .flatMap(source -> LOGGED.matcher(source).results())
                .filter(call -> !hasStackTrace(call))
                .map(call -> text(call.group(1)))
                .filter(text -> WORD.matcher(text.replace("{}", "")).find())
                .toList();

        assertThat(logged).hasSizeGreaterThan(60);
        assertThat(logged.stream().filter(text -> manual.logLines().stream().noneMatch(text::contains)))
                .as("what docs/OPERATIONS.md does not explain")
                .isEmpty();
    }

    @Test
    void shouldExplainWhatNeedsAttention() {
        String health = sources.stream()
                .filter(source -> source.contains("final class Health "))
                .findFirst()
                .orElseThrow();
        List<String> notes = NOTED.matcher(health)
                .results()
                .map(call -> text(call.group(1)))
                .filter(text -> !text.isEmpty())
                .toList();

        assertThat(notes).hasSizeGreaterThan(8);
        assertThat(notes.stream().filter(note -> manual.remarks().stream().noneMatch(note::contains)))
                .as("what docs/OPERATIONS.md does not explain")
                .isEmpty();
    }

    /** An exception beside what its placeholders are for: SLF4J shows where it came from. */
    private static boolean hasStackTrace(MatchResult call) {
        String arguments = call.group(2);
        for (String before = ""; !before.equals(arguments); ) {
            before = arguments;
            arguments = BRACKETS.matcher(arguments).replaceAll("");
        }
        long given = arguments.chars().filter(character -> character == ',').count();
        return given > PLACEHOLDER.matcher(call.group(1)).results().count();
    }

    private static String text(String code) {
        return PART.matcher(code)
                .results()
                .map(part -> part.group().substring(1, part.group().length() - 1))
                .collect(Collectors.joining());
    }

    /** Words for states are the names of constants. */
    private static String enumerated(String warning) {
        return "    " + warning.toUpperCase(Locale.ROOT) + ",";
    }

    private static Stream<String> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).map(WarningsTest::read).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
