package org.beefs.queenbee.console.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.beefs.common.file.DamagedFile;
import org.beefs.common.file.Draft;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A small file of JSON, which only the queen-bee's user can read. It is replaced as a whole, and on disk when a call
 * returns. For one thread at a time.
 *
 * @param <T> record of what is in it
 */
public final class JsonFile<T> {
    private static final FileAttribute<?> OWNERS_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final Class<T> type;

    public JsonFile(Path file, Class<T> type) {
        this.file = file;
        this.type = type;
    }

    /** What is in it; empty where there is no file. Fails with IllegalStateException when it cannot be read. */
    public Optional<T> read() {
        try {
            return parsed();
        } catch (IOException e) {
            throw unreadable(e.toString(), e);
        } catch (JacksonException e) {
            throw unreadable(e.getOriginalMessage(), e);
        }
    }

    /** As {@link #read}, of what can be spared: a file that is damaged is kept beside its place, and begins anew. */
    public Optional<T> readOrMoveAside() {
        try {
            return parsed();
        } catch (IOException e) {
            throw unreadable(e.toString(), e);
        } catch (JacksonException e) {
            moveAside(e);
            return Optional.empty();
        }
    }

    private Optional<T> parsed() throws IOException {
        return Files.exists(file)
                ? Optional.ofNullable(JsonMapper.shared().readValue(Files.readAllBytes(file), type))
                : Optional.empty();
    }

    private void moveAside(JacksonException damage) {
        try {
            DamagedFile.moveAside(file, damage.getOriginalMessage());
        } catch (IOException e) {
            throw unreadable(damage.getOriginalMessage(), e);
        }
    }

    private IllegalStateException unreadable(String why, Exception cause) {
        return new IllegalStateException(
                "%s cannot be read (%s); put that right, or move the file away, and restart the queen-bee: without it the console goes on without what is in it"
                        .formatted(file, why),
                cause);
    }

    /** Fails with a PosixException that says so to people, and leaves what was there. */
    public void write(T contents) {
        try {
            Draft.replace(file, JsonMapper.shared().writeValueAsBytes(contents), OWNERS_ONLY);
        } catch (IOException e) {
            throw new PosixException(
                    Errno.EIO,
                    "%s cannot be written, and nothing was changed (%s); free some space there, or look at its rights"
                            .formatted(file, e.getMessage()));
        }
    }
}
