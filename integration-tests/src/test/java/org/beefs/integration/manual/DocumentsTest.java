package org.beefs.integration.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.beefs.integration.manual.Manual.Block;
import org.beefs.integration.program.Folders;
import org.junit.jupiter.api.Test;

/** What is written for people: README, docs, and the modules' designs. */
class DocumentsTest {
    /** As the formatter keeps Java's. */
    private static final int LONGEST_LINE = 120;

    private static final Pattern FENCED = Pattern.compile("(?ms)^\\s*```.*?^\\s*```\\s*$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    private final List<Path> documents = documents();

    @Test
    void shouldLinkToWhatThereIs() {
        assertThat(documents).hasSizeGreaterThan(60);
        assertThat(documents)
                .allSatisfy(document -> assertThat(LINK.matcher(prose(document)).results())
                        .map(link -> link.group(1))
                        .filteredOn(link -> !link.contains("://"))
                        .allSatisfy(link -> assertThat(exists(document, link))
                                .as("%s links to %s", document, link)
                                .isTrue()));
    }

    /** Tables and long words cannot be wrapped. */
    @Test
    void shouldKeepProseWithinTheLinesOfAnEditor() {
        assertThat(documents)
                .allSatisfy(document -> assertThat(prose(document).lines())
                        .as("long lines of %s", document)
                        .filteredOn(line -> line.strip().contains(" ") && !line.startsWith("|"))
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(LONGEST_LINE)));
    }

    /** What a unit starts may fail for as long as a disk is full, and systemd gives up after five quick failures. */
    @Test
    void shouldHaveUnitsTryForAsLongAsItTakes() {
        List<String> restarted = Manual.read().blocks().stream()
                .filter(block -> block.file().endsWith(".service"))
                .map(Block::text)
                .filter(unit -> unit.contains("\nRestart="))
                .toList();

        assertThat(restarted)
                .hasSizeGreaterThan(1)
                .allSatisfy(unit -> assertThat(unit.lines()).contains("StartLimitIntervalSec=0", "RestartSec=5"));
    }

    private static boolean exists(Path document, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document
                : document.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || hasHeading(target, parts[1]));
    }

    private static boolean hasHeading(Path document, String anchor) {
        return HEADING.matcher(read(document))
                .results()
                .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .anyMatch(anchor::equals);
    }

    /** Without what stands between fences. */
    private static String prose(Path document) {
        return FENCED.matcher(read(document)).replaceAll("");
    }

    private static String read(Path document) {
        try {
            return Files.readString(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> documents() {
        Path repository = Folders.repository();
        try (Stream<Path> docs = Files.walk(repository.resolve("docs"));
                Stream<Path> others = Files.find(repository, 2, (path, attributes) -> isOfModule(repository, path))) {
            return Stream.concat(docs, others)
                    .filter(path -> path.toString().endsWith(".md"))
                    .distinct()
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfModule(Path repository, Path path) {
        return path.getFileName().toString().equals("DESIGN.md") || path.equals(repository.resolve("README.md"));
    }
}
