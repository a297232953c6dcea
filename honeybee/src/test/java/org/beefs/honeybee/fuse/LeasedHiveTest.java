package org.beefs.honeybee.fuse;

import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What tests share that mount a hive whose queen-bee grants leases. Everything of the hive but its mounts happens in
 * one thread.
 */
@ParameterizedClass
@EnumSource(names = {"RINGS", "NATIVE"})
abstract class LeasedHiveTest extends MountedTest {
    /** Virtual time that passes while the hive's thread looks once whether there is something to do. */
    private static final Duration TICK = Duration.ofMillis(1);

    final FakeHive hive = new FakeHive();
    private final Thread world = Thread.ofPlatform().name("hive").daemon().unstarted(this::runHive);
    private volatile boolean over;
    Mount mount;
    Path root;

    @BeforeEach
    void mountHive() throws IOException {
        hive.queen.grants = true;
        hive.get(hive.session.start());
        world.start();
        mount = mount("hive", hive.files, MountOptions.DEFAULTS);
        root = mount.target();
    }

    @AfterEach
    void endHive() throws InterruptedException {
        over = true;
        world.join();
    }

    @Override
    Timers mountTimers() {
        return hive.timers;
    }

    long addFile(String name) throws Exception {
        return onHive(() -> hive.queen.addFile(
                name, hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644)));
    }

    /** Done when the desktop has answered. */
    void recallName(String name) throws Exception {
        recall(Recall.newBuilder()
                .addEntries(EntryName.newBuilder().setDirectory(FileSystem.ROOT).setName(bytes(name)))
                .build());
    }

    void recallAttributes(long inode) throws Exception {
        recall(Recall.newBuilder().addInodes(inode).build());
    }

    private void recall(Recall recall) throws Exception {
        onHive(() -> hive.queen.recall(recall)).get(60, TimeUnit.SECONDS);
    }

    /** On the thread in which everything of the hive happens but for the mounts. */
    <T> T onHive(Supplier<T> work) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        hive.timers.schedule(Duration.ZERO, () -> done.complete(work.get()));
        return done.get(60, TimeUnit.SECONDS);
    }

    private void runHive() {
        while (!over) {
            hive.timers.advance(TICK);
            LockSupport.parkNanos(50_000);
        }
    }
}
