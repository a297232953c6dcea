package org.beefs.integration.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;

/** Source packages of Debian, fetched once and kept. The machine's own package sources stay as they are. */
public final class DebianSource {
    /** A lock lets one fetch at a time; the archive gets to its place last, and whole. */
    private static final String FETCH = """
            exec 9> lock
            flock 9
            ! ls *.orig.tar.* > /dev/null 2>&1 || exit 0
            rm -rf fetching
            mkdir -p fetching/lists/partial fetching/cache/archives/partial fetching/parts
            cd fetching
            for file in /etc/apt/sources.list.d/*.sources; do
              [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" > "parts/${file##*/}"
            done
            cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' > sources.list
            apt() {
              apt-get -q -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts="$PWD/parts" \\
                -o Dir::State::Lists="$PWD/lists" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=root "$@"
            }
            apt update
            apt source --download-only "$PACKAGE"
            mv *.orig.tar.* ..
            cd ..
            rm -rf fetching
            """;

    private DebianSource() {}

    /** The upstream archive of a package; skips the test loudly where Debian cannot be reached. */
    public static Path archive(String name) {
        Path folder = Folders.cache("debian-sources").resolve(name);
        return find(folder).orElseGet(() -> {
            Result fetched = fetch(folder, name);
            return find(folder)
                    .orElseThrow(() -> Requirements.skip("the source of " + name + " cannot be had: " + fetched));
        });
    }

    private static Result fetch(Path folder, String name) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Program.shell(FETCH)
                .in(folder)
                .with("PACKAGE", name)
                .within(Duration.ofMinutes(3))
                .runToAnyEnd();
    }

    private static Optional<Path> find(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(".*\\.orig\\.tar\\.[a-z0-9]+"))
                    .findFirst();
        } catch (IOException missing) {
            return Optional.empty();
        }
    }
}
