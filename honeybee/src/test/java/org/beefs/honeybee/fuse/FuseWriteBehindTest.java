package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
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
    private long inode;

    @BeforeEach
    void grantWriting() throws Exception {
        onHive(() -> hive.queen.grantsWriting = true);
        inode = addFile("f");
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
    void shouldWriteWhatAMappingHasChangedThoughAWriteHasFailed() throws Exception {
        Process program = start("""
                exec python3 -c '
                import mmap, os, sys
                file = os.open(sys.argv[1], os.O_RDWR)
                os.pwrite(file, b"before", 0)
                os.fsync(file)
                print("written", flush=True)
                sys.stdin.readline()
                os.pwrite(file, b"failed", 0)
                os.fstat(file)
                print("failed", flush=True)
                sys.stdin.readline()
                memory = mmap.mmap(file, 6)
                memory[:] = b"mapped"
                try:
                    memory.flush()
                except OSError as told:
                    print(told.errno)' %s
                """.formatted(root.resolve("f")));
        BufferedReader said = program.inputReader();
        BufferedWriter goOn = program.outputWriter();

        assertThat(said.readLine()).isEqualTo("written");
        onHive(() -> hive.honeycomb.failure = Errno.ENOSPC);
        goOn.append('\n').flush();
        assertThat(said.readLine()).isEqualTo("failed");
        onHive(() -> hive.honeycomb.failure = null);
        goOn.append('\n').flush();

        assertThat(said.readLine()).isEqualTo("28");
        assertThat(onHive(() -> hive.honeycomb.content(inode))).isEqualTo("mapped");
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
