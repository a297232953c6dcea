package org.beefs.integration.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.linux.Posix;

/**
 * A file that records are appended to, each synced and then acknowledged. All acknowledged records must be there, in
 * order; one whose call failed may be there or not. For one thread at a time.
 */
final class TrackedLog {
    private static final String NAME = "log";
    private static final int RECORD = 64;

    private final List<String> acknowledged = new ArrayList<>();
    private int next;

    /** Appends a record through a descriptor of its own. */
    void append(Path folder) {
        String record = "%063d%n".formatted(next++);
        int fd = Posix.open(folder.resolve(NAME), Posix.O_CREAT | Posix.O_WRONLY | Posix.O_APPEND, 0600);
        try {
            Posix.write(fd, record.getBytes(US_ASCII));
            Posix.fsync(fd);
        } finally {
            Posix.close(fd);
        }
        acknowledged.add(record.strip());
    }

    void verify(Path folder) {
        if (acknowledged.isEmpty()) {
            return;
        }
        List<String> found = records(folder.resolve(NAME));
        assertThat(found).as("records of %s", folder).containsSubsequence(acknowledged);
        assertThat(found).as("records of %s are whole", folder).allMatch(record -> record.length() == RECORD - 1);
        assertThat(found).as("records of %s appear once", folder).doesNotHaveDuplicates();
    }

    private static List<String> records(Path file) {
        try {
            return Files.readAllLines(file, US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
