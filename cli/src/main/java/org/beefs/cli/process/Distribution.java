package org.beefs.cli.process;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.beefs.cli.program.Version;

/**
 * The folder with what runs: {@code lib/*.jar}, {@code native/}, and the JVM flags and the AOT cache of each kind of
 * process.
 *
 * @param path absolute
 */
record Distribution(Path path) {
    /** The class that is started, by the launcher too. By name, because it knows all that is here. */
    static final String MAIN = "org.beefs.cli.Main";

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

    /**
     * How a JVM of some kind is started: its flags, without the class path. There is no AOT cache of this build and JDK
     * when none could be made, or either was replaced since.
     */
    List<String> flags(String kind) {
        List<String> flags = new ArrayList<>(
                List.of("@" + options("common"), "@" + options(kind), "-Djava.library.path=" + path.resolve("native")));
        Version.build().ifPresent(build -> {
            flags.add("-D" + Version.BUILD + "=" + build);
            Path cache = path.resolve("%s-%s-%s.aot".formatted(kind, build, jdk()));
            if (Files.exists(cache)) {
                flags.add("-XX:AOTCache=" + cache);
            }
        });
        return flags;
    }

    /** As the launcher tells JDKs apart (caches.sh). */
    private static String jdk() {
        Path modules = Path.of(System.getProperty("java.home"), "lib", "modules");
        try {
            return Files.size(modules) + "-"
                    + Files.getLastModifiedTime(modules).to(TimeUnit.SECONDS);
        } catch (IOException _) {
            return "";
        }
    }

    private Path options(String kind) {
        return path.resolve(kind + ".options");
    }

    String classPath() {
        return path.resolve("lib") + "/*";
    }
}
