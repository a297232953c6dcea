package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Programs that write to a file on another desktop do not wait for that, and hear what has become of it when they
 * close.
 */
class FuseWriteBehindTest extends LeasedHiveTest {
    @BeforeEach
    void grantWriting() throws Exception {
        onHive(() -> hive.queen.grantsWriting = true);
        addFile("f");
    }

    @Test
    void shouldGatherSmallWrites() throws Exception {
        shell("dd if=/dev/zero of=%s bs=1k count=4096 conv=notrunc status=none".formatted(root.resolve("f")));

        assertThat(mount.requests()).containsEntry("WRITE", 4096L);
        assertThat(onHive(() -> hive.honeycomb.requestsOf(OperationCase.WRITE).size()))
                .isLessThan(4096);
        assertThat(root.resolve("f")).hasSize(4 << 20);
    }

    @Test
    void shouldFailAtClose() throws Exception {
        onHive(() -> hive.honeycomb.failure = Errno.ENOSPC);

        assertThat(shell("! dd if=/dev/zero of=%s bs=10 count=1 conv=notrunc 2>&1".formatted(root.resolve("f"))))
                .contains("No space left on device");
    }

    @Test
    void shouldLetAProgramEndThatCannotBeWrittenFor() throws Exception {
        onHive(() -> hive.honeycomb.held = OperationCase.WRITE);

        Process killed =
                start("exec python3 -c \"import os; f = os.open('%s', 1); os.write(f, b'x'); os.kill(os.getpid(), 9)\""
                        .formatted(root.resolve("f")));

        assertThat(killed.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(onHive(() -> hive.queen.releases.isEmpty())).isTrue();
    }
}
