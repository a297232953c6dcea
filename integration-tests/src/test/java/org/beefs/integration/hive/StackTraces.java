package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Stack traces of BeeFS's own code in what daemons have logged: each is a defect, unless a test has provoked it.
 * Thread-safe.
 */
public final class StackTraces {
    private static final String FRAME = "\tat org.beefs.";

    private final Path folder;
    private final List<String> expected = new ArrayList<>();
    private final Set<String> told = new HashSet<>();

    /** @param folder that has a folder for each role, with its logs */
    public StackTraces(Path folder) {
        this.folder = folder;
    }

    /** From now on traces under which a text stands are no defects. */
    synchronized void expect(String text) {
        expected.add(text);
    }

    /** Those that were not found before, and are not expected: the lines from what was logged to the first frame. */
    public synchronized List<String> fresh() {
        List<String> fresh = new ArrayList<>();
        for (Path log : logs()) {
            String role = folder.relativize(log).getName(0).toString();
            for (String trace : traces(read(log))) {
                if (expected.stream().noneMatch(trace::contains) && told.add(role + trace)) {
                    fresh.add(role + ": " + trace);
                }
            }
        }
        return fresh;
    }

    /** Those in one log. What is logged begins with the time; what follows on lines of its own belongs to it. */
    public static List<String> traces(String log) {
        List<String> traces = new ArrayList<>();
        StringBuilder logged = new StringBuilder();
        boolean found = false;
        for (String line : log.lines().toList()) {
            if (!line.isEmpty() && Character.isDigit(line.charAt(0))) {
                logged.setLength(0);
                found = false;
            }
            if (!found) {
                logged.append(line).append('\n');
                found = line.startsWith(FRAME);
                if (found) {
                    traces.add(logged.toString());
                }
            }
        }
        return traces;
    }

    /** Also those that were rolled, and what was written where nothing is logged. Other files come and go. */
    private List<Path> logs() {
        return entries(folder).stream()
                .filter(Files::isDirectory)
                .flatMap(role -> entries(role).stream())
                .filter(file -> isLog(file.getFileName().toString()))
                .sorted()
                .toList();
    }

    private static List<Path> entries(Path folder) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> listed = Files.newDirectoryStream(folder)) {
            listed.forEach(entries::add);
        } catch (NoSuchFileException gone) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    private static boolean isLog(String name) {
        return name.endsWith(".log") || name.contains(".log.") || name.equals("output");
    }

    private static String read(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (NoSuchFileException rolled) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
