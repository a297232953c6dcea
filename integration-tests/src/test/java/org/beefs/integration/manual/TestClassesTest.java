package org.beefs.integration.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.beefs.integration.program.Folders;
import org.junit.jupiter.api.Test;

/** This module's design says what each class of tests with processes and mounts shows. */
class TestClassesTest {
    private static final Path MODULE = Folders.repository().resolve("integration-tests");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| ([^|]+) \\|");
    private static final Pattern CLASS = Pattern.compile("`(\\w+IT)`");

    @Test
    void shouldNameEachClassOnce() throws IOException {
        List<String> named = FIRST_CELL
                .matcher(Files.readString(MODULE.resolve("DESIGN.md")))
                .results()
                .flatMap(cell -> CLASS.matcher(cell.group(1)).results())
                .map(name -> name.group(1))
                .toList();

        assertThat(named).containsExactlyInAnyOrderElementsOf(classes());
    }

    private static List<String> classes() throws IOException {
        try (Stream<Path> files = Files.walk(MODULE.resolve("src/test/java"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("IT.java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .toList();
        }
    }
}
