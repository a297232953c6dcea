package org.beefs.honeybee.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is different where requests come through rings. */
class RingMountTest extends MountedTest {
    private static final int CALLERS = 100;

    /** Does not answer for names that begin with "stuck" before it is told to. */
    private final class SlowFileSystem extends MemoryFileSystem {
        final ConcurrentLinkedQueue<CompletableFuture<Attributes>> waiting = new ConcurrentLinkedQueue<>();
        final Semaphore stuck = new Semaphore(0);

        SlowFileSystem() {
            super(executor);
        }

        @Override
        public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
            if (!name.toStringUtf8().startsWith("stuck")) {
                return super.lookup(caller, directory, name);
            }
            CompletableFuture<Attributes> result = new CompletableFuture<>();
            waiting.add(result);
            stuck.release();
            return result;
        }
    }

    private final SlowFileSystem fileSystem = new SlowFileSystem();

    RingMountTest() {
        driver = Driver.RINGS;
    }

    @BeforeEach
    void forget() {
        fileSystem.waiting.clear();
    }

    /** All on one processor, so in one ring, which begins with far fewer entries. */
    @Test
    void shouldServeOthersWhileVeryManyWait() throws Exception {
        Mount mount = mount("hive", fileSystem, FuseOptions.DEFAULTS);
        Files.writeString(mount.target().resolve("file"), "content");
        Process callers = start("for i in $(seq %d); do taskset -c 0 stat %s/stuck$i & done; wait; echo done"
                .formatted(CALLERS, mount.target()));
        assertThat(fileSystem.stuck.tryAcquire(CALLERS, 60, TimeUnit.SECONDS)).isTrue();

        assertThat(shell("taskset -c 0 cat %s/file; taskset -c 0 stat -c %%s %s/file"
                        .formatted(mount.target(), mount.target())))
                .isEqualTo("content7\n");
        Attributes answer = fileSystem
                .lookup(Credentials.getDefaultInstance(), 1, ByteString.copyFromUtf8("file"))
                .get();
        fileSystem.waiting.forEach(lookup -> lookup.complete(answer));

        assertThat(new String(callers.getInputStream().readAllBytes(), UTF_8)).endsWith("done\n");
    }

    @Test
    void shouldLetAllBeKilledWhoWait() throws Exception {
        Mount mount = mount("hive", fileSystem, FuseOptions.DEFAULTS);
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        "for i in $(seq %d); do stat %s/stuck$i & done; wait".formatted(CALLERS, mount.target()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(fileSystem.stuck.tryAcquire(CALLERS, 60, TimeUnit.SECONDS)).isTrue();

        for (ProcessHandle caller : shell.descendants().toList()) {
            caller.destroyForcibly();
            caller.onExit().get(10, TimeUnit.SECONDS);
        }

        assertThat(fileSystem.waiting).allSatisfy(lookup -> assertThat(lookup).failsWithin(Duration.ofSeconds(5)));
    }

    @Test
    void shouldMoveLargeContents() throws Exception {
        Path target = mount("hive", fileSystem, FuseOptions.DEFAULTS).target();
        byte[] content = new byte[9 << 20];
        new Random(7).nextBytes(content);
        Path source = Files.write(folder.resolve("source"), content);

        shell("cd %s; for i in 1 2 3 4; do cp %s f$i & done; wait; for i in 1 2 3 4; do cmp %s f$i & done; wait"
                .formatted(target, source, source));

        assertThat(Files.readAllBytes(target.resolve("f4"))).isEqualTo(content);
    }

    /** Else callers would wait for a ring that never comes. */
    @Test
    void shouldGiveTheMountUpWhenItsRingsFail() throws Exception {
        Path target = Files.createDirectories(folder.resolve("hive"));
        cleanUp(target);
        Rings rings = Rings.open(Driver.RINGS);
        rings.close();

        assertThatThrownBy(() -> FuseMount.mount(target, rings, fileSystem, FuseOptions.DEFAULTS, mountTimers()))
                .hasMessageContaining("ring of processor 0");

        assertThat(MountTable.read().at(target)).isEmpty();
    }
}
