package org.beefs.integration.suite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The tests of a suite that are known to fail, each with the reason: lines of {@code NAME: REASON}; # begins a comment. */
public final class ExpectedFailures {
    private ExpectedFailures() {}

    /** Reasons by name, from a resource beside this class. */
    public static Map<String, String> read(String resource) {
        try (InputStream input = ExpectedFailures.class.getResourceAsStream(resource)) {
            String text = new String(Objects.requireNonNull(input, resource).readAllBytes(), StandardCharsets.UTF_8);
            Map<String, String> reasons = new TreeMap<>();
            text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> add(line, reasons));
            return reasons;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(String line, Map<String, String> reasons) {
        int colon = line.indexOf(": ");
        if (colon < 0 || line.substring(colon + 2).isBlank()) {
            throw new IllegalArgumentException("a failure is listed without its reason: " + line);
        }
        reasons.put(line.substring(0, colon), line.substring(colon + 2));
    }
}
