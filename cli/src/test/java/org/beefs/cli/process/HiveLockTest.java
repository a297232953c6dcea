package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.beefs.cli.state.HiveFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may read a file may lock it, and so keep others from it. */
class HiveLockTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldBeNobodyElses() throws IOException {
        takeAndLook();
    }

    @Test
    void shouldNotStayOpenToOthersWhereItWas() throws IOException {
        Path lock = Files.createFile(temporary.resolve("lock"));
        Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));

        takeAndLook();
    }

    private void takeAndLook() throws IOException {
        try (HiveLock _ = HiveLock.take(new HiveFolder(temporary))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve("lock"))))
                    .isEqualTo("rw-------");
        }
    }
}
