package org.beefs.integration.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Folders for tests, on a real file system: honeycombs want xattrs, and passthrough wants no layers. */
public final class Folders {
    private static final Set<String> UNREAL = Set.of("overlay", "tmpfs", "ramfs", "fuse");

    private Folders() {}

    /** A new folder; {@code -Dbeefs.folder} chooses where. */
    public static Path create(String prefix) {
        try {
            Path made =
                    Files.createTempDirectory(parent(), "beefs-" + prefix + "-").toRealPath();
            // Tests also act as other users, who must get in.
            return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder that stays between runs, for what was downloaded or built. */
    public static Path cache(String name) {
        String home = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
        try {
            return Files.createDirectories(Path.of(home, "beefs", name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the folder and all in it, but leaves what is mounted below it alone and fails then. */
    public static void delete(Path folder) {
        Program.of("rm", "-rf", "--one-file-system", folder.toString()).run();
    }

    /** The tops of this module's and of the whole repository's sources. */
    public static Path repository() {
        return Stream.iterate(Path.of("").toAbsolutePath(), path -> path != null, Path::getParent)
                .filter(path -> Files.exists(path.resolve("pom.xml")) && Files.exists(path.resolve(".mvn")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the tests run inside the repository"));
    }

    private static Path parent() throws IOException {
        String chosen = System.getProperty("beefs.folder");
        if (chosen != null) {
            return Path.of(chosen);
        }
        for (String candidate : List.of(System.getProperty("java.io.tmpdir"), "/var/tmp", "target", "/mnt")) {
            Path folder = Path.of(candidate).toAbsolutePath();
            if (Files.isWritable(folder)
                    && !UNREAL.contains(Files.getFileStore(folder).type())) {
                return folder;
            }
        }
        Requirements.announce("no folder on a real disk was found; the tests run in " + Path.of("target"));
        return Path.of("target").toAbsolutePath();
    }
}
