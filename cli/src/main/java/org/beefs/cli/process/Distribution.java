package org.beefs.cli.process;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The folder with what runs: {@code lib/*.jar}, {@code native/} and the JVM flags of each kind of process.
 *
 * @param path absolute
 */
record Distribution(Path path) {
    /** The one that this code belongs to: it came from its lib folder, or from the build folder that holds it. */
    static Distribution own() {
        Path code = ownCode();
        return Stream.of(code.resolveSibling("distribution"), code.resolve("../.."))
                .map(Path::normalize)
                .filter(candidate -> Files.exists(candidate.resolve("common.options")))
                .findFirst()
                .map(Distribution::new)
                .orElseThrow(() -> new IllegalStateException("no distribution around " + code));
    }

    private static Path ownCode() {
        try {
            return Path.of(Distribution.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    Path options(String kind) {
        return path.resolve(kind + ".options");
    }

    Path natives() {
        return path.resolve("native");
    }

    String classPath() {
        return path.resolve("lib") + "/*";
    }
}
