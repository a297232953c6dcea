package org.beefs.integration.realprograms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;

/**
 * Runs a script in a new folder of the hive: here in short, and with {@code --long} also where all content is remote.
 */
final class Work {
    private static final Duration DEADLINE = Duration.ofMinutes(Length.of(2, 20));

    private final Mounts mounts;
    private final String name;
    private final List<String> prefix;

    private Work(Mounts mounts, String name, List<String> prefix) {
        this.mounts = mounts;
        this.name = name;
        this.prefix = prefix;
    }

    static Work of(Mounts mounts, String name) {
        return new Work(mounts, name, List.of());
    }

    /** For programs that refuse to run as root. */
    Work asNobody() {
        return new Work(mounts, name, List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }

    /**
     * The script sees its folder as WORK and as working directory, a folder elsewhere as SCRATCH, and how much to do as
     * SIZE.
     */
    void run(int size) {
        for (Path mount :
                Length.isLong() ? List.of(mounts.local(), mounts.withoutHoneycomb()) : List.of(mounts.local())) {
            runIn(mount, size);
        }
    }

    private void runIn(Path mount, int size) {
        Path folder = newFolder(mount);
        Path scratch = newFolder(mounts.scratch());
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("/bin/bash", "-euo", "pipefail", "-c", script(name + ".sh")));
        Result result = Program.of(command)
                .in(folder)
                .with("WORK", folder.toString())
                .with("SCRATCH", scratch.toString())
                .with("CACHE", Folders.cache("").toString())
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("LC_ALL", "C.UTF-8")
                .with("SIZE", Integer.toString(size))
                .within(DEADLINE)
                .run();
        if (result.output().startsWith("NOT HERE: ")) {
            throw Requirements.skip(result.output().strip());
        }
        Program.of("rm", "-rf", folder.toString(), scratch.toString())
                .within(DEADLINE)
                .run();
    }

    static String script(String name) {
        try (var resource = Work.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("there is no " + name);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path newFolder(Path parent) {
        try {
            Path made = Files.createTempDirectory(parent, name);
            return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
