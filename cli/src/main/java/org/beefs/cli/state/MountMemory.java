package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a desktop is to have mounts, kept in a file, so that a daemon that was killed or stopped mounts there again. Its
 * daemon changes it; a tool does so only while the daemon does not run or does not answer. Thread-safe.
 */
public final class MountMemory {
    private static final ObjectMapper JSON = JsonMapper.shared();

    private final Path file;

    public MountMemory(Path file) {
        this.file = file;
    }

    /** Absolute paths in the order in which they were added; none when the file is missing or was damaged. */
    public synchronized List<Path> list() {
        try {
            return Arrays.stream(JSON.readValue(Files.readAllBytes(file), String[].class))
                    .map(Path::of)
                    .toList();
        } catch (IOException | JacksonException e) {
            return List.of();
        }
    }

    public synchronized void add(Path mount) {
        List<Path> mounts = new ArrayList<>(list());
        if (!mounts.contains(mount)) {
            mounts.add(mount);
            write(mounts);
        }
    }

    public synchronized void remove(Path mount) {
        List<Path> mounts = new ArrayList<>(list());
        if (mounts.remove(mount)) {
            write(mounts);
        }
    }

    private void write(List<Path> mounts) {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.write(
                    written,
                    JSON.writeValueAsBytes(mounts.stream().map(Path::toString).toList()));
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IllegalStateException("cannot remember the mounts in " + file + ": " + Reasons.of(e), e);
        }
    }
}
