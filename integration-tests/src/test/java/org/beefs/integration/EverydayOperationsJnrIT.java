package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.posix.Errno;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.linux.Posix;
import org.junit.jupiter.api.Test;

/** Through the second driver, and what libfuse 2 cannot do answered as docs/decisions/second-driver.md says. */
@OnDriver("jnr")
class EverydayOperationsJnrIT extends EverydayOperations {
    @Override
    Path mount(Mounts mounts) {
        return mounts.local();
    }

    @Override
    @Test
    void shouldExchangeTwoNamesAndRefuseToReplace() throws IOException {
        Path first = Files.writeString(folder().resolve("first"), "1");
        Path second = Files.writeString(folder().resolve("second"), "2");

        assertFails(Errno.EEXIST, () -> Posix.rename(first, second, 1));
        assertFails(Errno.EINVAL, () -> Posix.rename(first, second, 2));

        assertThat(first).hasContent("1");
        assertThat(second).hasContent("2");
    }

    @Override
    @Test
    void shouldShareMemoryMappings() throws IOException {
        Path file = Files.writeString(folder().resolve("mapped"), "text");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> channel.map(MapMode.READ_WRITE, 0, 4))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No such device");
            assertThat(channel.map(MapMode.PRIVATE, 0, 4).get(1)).isEqualTo((byte) 'e');
        }
    }
}
