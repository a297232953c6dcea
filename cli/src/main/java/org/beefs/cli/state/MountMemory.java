package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.beefs.common.file.Draft;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a desktop is to have mounts, kept in a file, so that a daemon that was killed or stopped mounts there again.
 * Its daemon changes it; a tool does so only while the daemon does not run or does not answer. When it cannot be
 * written, as on a full disk, that is a warning only: mounting and unmounting work all the same. Thread-safe.
 */
public final class MountMemory {
    private static final Logger LOG = LoggerFactory.getLogger(MountMemory.class);
    private static final ObjectMapper JSON = JsonMapper.shared();

    private final Path file;

    public MountMemory(Path file) {
        this.file = file;
    }

    /** In the order in which they were added; none when the file is missing or was damaged. */
    public synchronized List<WantedMount> list() {
        try {
            return List.of(JSON.readValue(Files.readAllBytes(file), WantedMount[].class));
        } catch (IOException | JacksonException e) {
            return List.of();
        }
    }

    /** What is remembered of a place. */
    public Optional<WantedMount> at(Path place) {
        return list().stream().filter(mount -> mount.place().equals(place)).findFirst();
    }

    /** What is to be mounted at a place: as remembered, or with defaults. */
    public WantedMount wantedAt(Path place) {
        return at(place).orElseGet(() -> WantedMount.at(place));
    }

    /** Remembers it, in place of another one there. */
    public synchronized void add(WantedMount mount) {
        List<WantedMount> mounts = new ArrayList<>(list());
        if (!mounts.contains(mount)) {
            mounts.removeIf(other -> other.place().equals(mount.place()));
            mounts.add(mount);
            write(mounts);
        }
    }

    public synchronized void remove(Path place) {
        List<WantedMount> mounts = new ArrayList<>(list());
        if (mounts.removeIf(mount -> mount.place().equals(place))) {
            write(mounts);
        }
    }

    private void write(List<WantedMount> mounts) {
        try {
            Draft.replace(file, JSON.writeValueAsBytes(mounts));
        } catch (IOException e) {
            LOG.warn("the mounts cannot be remembered in {}: {}", file, Reasons.of(e));
        }
    }
}
