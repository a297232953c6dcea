package org.beefs.queenbee.console.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
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
            return Files.exists(file)
                    ? Optional.of(JsonMapper.shared().readValue(Files.readString(file), type))
                    : Optional.empty();
        } catch (IOException | JacksonException e) {
            throw new IllegalStateException(
                    "%s cannot be read (%s); without that file the console goes on without what is in it"
                            .formatted(file, e.getMessage()),
                    e);
        }
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
