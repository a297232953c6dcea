package org.beefs.honeybee.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.fuse.reader.RingReader;
import org.beefs.honeybee.fuse.reader.Rings;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.OpenPlace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is different where requests come through rings. */
class RingMountTest extends MountedTest {
    /** More than a ring has entries at first. */
    private static final int CALLERS = RingReader.FREE + 50;

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
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        Files.writeString(mount.target().resolve("file"), "content");
        Process callers = startCallers(mount, "; os.sched_setaffinity(0, {0})");
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
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        Process callers = startCallers(mount, "");
        assertThat(fileSystem.stuck.tryAcquire(CALLERS, 60, TimeUnit.SECONDS)).isTrue();

        for (ProcessHandle caller : callers.descendants().toList()) {
            caller.destroyForcibly();
            caller.onExit().get(10, TimeUnit.SECONDS);
        }

        assertThat(fileSystem.waiting).allSatisfy(lookup -> assertThat(lookup).failsWithin(Duration.ofSeconds(5)));
    }

    /** A program whose threads all look at a name of their own that is not answered for. */
    private static Process startCallers(Mount mount, String begin) throws IOException {
        return start("""
                exec python3 -c '
                import os, sys, threading%s
                threads = [threading.Thread(target=os.path.exists, args=(sys.argv[1] + "/stuck%%d" %% i,)) for i in range(%d)]
                [thread.start() for thread in threads]
                [thread.join() for thread in threads]
                print("done")' %s
                """.formatted(begin, CALLERS, mount.target()));
    }

    @Test
    void shouldServeWhoLooksWhileItIsMounted() throws Exception {
        Path target = Files.createDirectories(folder.resolve("hive"));
        Process looking =
                start("for i in 1 2 3 4; do (while [ ! -e %s/enough ]; do [ -e %s/file ] || true; done) & done; wait"
                        .formatted(folder, target));

        for (int i = 0; i < 5; i++) {
            Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
            assertThat(mount.service()).contains("rings");
            mount.close();
        }

        Files.createFile(folder.resolve("enough"));
        assertThat(looking.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldMoveLargeContents() throws Exception {
        Path target = mount("hive", fileSystem, MountOptions.DEFAULTS).target();
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
        Rings rings = Rings.open(true);
        rings.close();

        try (OpenPlace place = OpenPlace.open(target)) {
            assertThatThrownBy(() -> new Mounting(place, rings, fileSystem, MountOptions.DEFAULTS, mountTimers()).run())
                    .hasMessageContaining("ring of processor 0");
        }

        assertThat(MountInfo.read().at(target)).isEmpty();
    }
}
