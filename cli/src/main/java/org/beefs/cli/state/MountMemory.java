package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.beefs.common.file.DamagedFile;
import org.beefs.common.file.Draft;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a desktop is to have mounts, kept in a file, so that a daemon that was killed or stopped mounts there again.
 * Its daemon changes it; a tool does so only while the daemon does not run or does not answer. When it cannot be read
 * or written, as on a full disk, that is a warning only: mounting and unmounting work all the same. But what it held is
 * not lost then: a damaged file is kept beside its place, one that cannot be read is not written. Thread-safe.
 */
public final class MountMemory {
    private static final Logger LOG = LoggerFactory.getLogger(MountMemory.class);
    private static final ObjectMapper JSON = JsonMapper.shared();

    private final Path file;

    public MountMemory(Path file) {
        this.file = file;
    }

    /** In the order in which they were added; none when the file is missing or, with a warning, cannot be read. */
    public synchronized List<WantedMount> list() {
        try {
            return read();
        } catch (IOException | JacksonException e) {
            LOG.warn("the mounts that are remembered in {} cannot be read: {}", file, Reasons.of(e));
            return List.of();
        }
    }

    private List<WantedMount> read() throws IOException {
        byte[] json;
        try {
            json = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        WantedMount[] mounts = JSON.readValue(json, WantedMount[].class);
        return mounts == null
                ? List.of()
                : Arrays.stream(mounts).filter(Objects::nonNull).toList();
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
        change(mounts -> {
            if (mounts.contains(mount)) {
                return false;
            }
            mounts.removeIf(other -> other.place().equals(mount.place()));
            return mounts.add(mount);
        });
    }

    public synchronized void remove(Path place) {
        change(mounts -> mounts.removeIf(mount -> mount.place().equals(place)));
    }

    /** @param change answers whether there is anything to be written */
    private void change(Predicate<List<WantedMount>> change) {
        try {
            List<WantedMount> mounts = new ArrayList<>(readOrMoveAside());
            if (change.test(mounts)) {
                Draft.replace(file, JSON.writeValueAsBytes(mounts));
            }
        } catch (IOException e) {
            LOG.warn("the mounts cannot be remembered in {}: {}", file, Reasons.of(e));
        }
    }

    private List<WantedMount> readOrMoveAside() throws IOException {
        try {
            return read();
        } catch (JacksonException e) {
            DamagedFile.moveAside(file, e.getOriginalMessage());
            return List.of();
        }
    }
}
