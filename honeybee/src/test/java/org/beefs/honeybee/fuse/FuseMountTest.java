package org.beefs.honeybee.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.beefs.common.config.Altered;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.OpenPlace;
import org.beefs.honeybee.mount.Umount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How mounts begin and end, and what happens to callers whose operation is never answered. */
@ParameterizedClass
@EnumSource(names = {"RINGS", "NATIVE"})
class FuseMountTest extends MountedTest {
    /** Never answers for names and files called "stuck". */
    private final class StuckFileSystem extends MemoryFileSystem {
        final ConcurrentLinkedQueue<CompletableFuture<?>> waiting = new ConcurrentLinkedQueue<>();
        final Semaphore stuck = new Semaphore(0);
        volatile boolean writesAreStuck;

        StuckFileSystem() {
            super(executor);
        }

        @Override
        public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
            return name.toStringUtf8().equals("stuck") ? never() : super.lookup(caller, directory, name);
        }

        @Override
        public CompletableFuture<Void> write(
                long handle, long offset, ByteBuf content, boolean append, boolean clearPrivileges) {
            return writesAreStuck ? never() : super.write(handle, offset, content, append, clearPrivileges);
        }

        private <T> CompletableFuture<T> never() {
            CompletableFuture<T> result = new CompletableFuture<>();
            waiting.add(result);
            stuck.release();
            return result;
        }

        /** Waits until so many operations will never be answered. */
        void awaitStuck(int operations) throws InterruptedException {
            assertThat(stuck.tryAcquire(operations, 10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private final StuckFileSystem fileSystem = new StuckFileSystem();

    @Test
    void shouldLetCallersBeKilledWhoseOperationIsNeverAnswered() throws Exception {
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        Process caller = new ProcessBuilder("stat", mount.target() + "/stuck").start();
        fileSystem.awaitStuck(1);

        caller.destroyForcibly();

        assertThat(caller.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(fileSystem.waiting)
                .singleElement()
                .satisfies(lookup -> assertThat(lookup).failsWithin(Duration.ofSeconds(30)));
    }

    @Test
    void shouldTrustProgramsAndDeviceFilesOnlyWhereThatIsWanted() throws Exception {
        Path trusted = mount("trusted", fileSystem, MountOptions.DEFAULTS).target();
        Path other = mount("other", fileSystem, MountOptions.DEFAULTS.withNosuid(true))
                .target();
        shell("cd %s; cp /usr/bin/id id; chown 7 id; chmod 4755 id; mknod null c 1 3".formatted(trusted));

        assertThat(shell("%s/id -u; echo > %1$s/null".formatted(trusted))).isEqualTo("7\n");
        assertThat(shell("%s/id -u; echo > %1$s/null || true".formatted(other)))
                .startsWith("0\n")
                .contains("Permission denied");
    }

    @Test
    void shouldGoOnAfterOtherSignals() throws Exception {
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        Files.writeString(mount.target().resolve("answer"), "content");
        Attributes answer = fileSystem
                .lookup(Credentials.getDefaultInstance(), FileSystem.ROOT, ByteString.copyFromUtf8("answer"))
                .get();
        Process caller = start("exec python3 -c 'import signal, sys; signal.signal(signal.SIGUSR1, lambda *_: None);"
                + " print(open(sys.argv[1]).read())' " + mount.target() + "/stuck");
        fileSystem.awaitStuck(1);

        shell("kill -USR1 $(pgrep -P %d)".formatted(caller.pid()));
        timers.awaitScheduled();
        fileSystem.waiting.forEach(lookup -> complete(lookup, answer));

        assertThat(new String(caller.getInputStream().readAllBytes(), UTF_8)).isEqualTo("content\n");
        assertThat(fileSystem.waiting).hasSize(1);
    }

    @SuppressWarnings("unchecked")
    private static void complete(CompletableFuture<?> lookup, Attributes attributes) {
        ((CompletableFuture<Attributes>) lookup).complete(attributes);
    }

    @Test
    void shouldLetWritersBeKilledWhenAllBuffersAreInUse() throws Exception {
        MountOptions oneBuffer = Altered.copy(MountOptions.DEFAULTS, Map.of("readers", 2, "writeBuffers", 1));
        Mount mount = mount("hive", fileSystem, oneBuffer);
        fileSystem.writesAreStuck = true;
        String writers = "for i in 1 2 3 4 5 6; do echo x > %s/f$i & done; wait".formatted(mount.target());
        Process shell = new ProcessBuilder("bash", "-c", writers).start();
        fileSystem.awaitStuck(3);
        List<ProcessHandle> waiting = shell.descendants().toList();

        waiting.forEach(ProcessHandle::destroyForcibly);

        for (ProcessHandle writer : waiting) {
            writer.onExit().get(5, TimeUnit.SECONDS);
        }
        fileSystem.waiting.forEach(write -> write.completeExceptionally(new IOException("given up")));
    }

    @Test
    void shouldBeSeenAtItsPlaceAndNowhereElse() throws Exception {
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);

        String device = MountInfo.read().at(mount.target()).orElseThrow().device();
        assertThat(MountInfo.read().mounts())
                .filteredOn(entry -> entry.device().equals(device))
                .singleElement()
                .satisfies(entry -> assertThat(entry.type()).isEqualTo("fuse.beefs"));
    }

    /** So a daemon that is killed meanwhile leaves nothing. */
    @Test
    void shouldNotBeSeenBeforeItIsServed() throws Exception {
        List<MountInfo.Mount> meanwhile = new ArrayList<>();
        Mount mount = mount(
                "hive",
                new MemoryFileSystem(executor) {
                    @Override
                    public Lifetimes attach(KernelCache kernel) {
                        meanwhile.addAll(seen());
                        return super.attach(kernel);
                    }
                },
                MountOptions.DEFAULTS);

        String device = MountInfo.read().at(mount.target()).orElseThrow().device();
        assertThat(meanwhile)
                .isNotEmpty()
                .noneSatisfy(entry -> assertThat(entry.device()).isEqualTo(device));
    }

    private static List<MountInfo.Mount> seen() {
        try {
            return MountInfo.read().mounts();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldEndWhenSomebodyUnmounts() throws Exception {
        Mount mount = mount("hive", fileSystem, MountOptions.DEFAULTS);
        assertThat(mount.terminated()).isNotDone();

        shell("umount " + mount.target());

        mount.terminated().get(5, TimeUnit.SECONDS);
        assertThatNothingIsLeft();
        mount.close();
    }

    @Test
    void shouldTakeTheMountFromItsUsersWhenItIsClosed() throws Exception {
        Mount mount = mount("hive", fileSystem, quick());
        Files.writeString(mount.target().resolve("file"), "content");
        try (FileChannel used = FileChannel.open(mount.target().resolve("file"), StandardOpenOption.READ)) {
            mount.close();

            assertThat(mount.terminated()).isDone();
            assertThatThrownBy(used::size).isInstanceOf(IOException.class);
        }
        assertThat(MountInfo.read().at(mount.target())).isEmpty();
        assertThatNothingIsLeft();
    }

    @Test
    void shouldEndAMountThatWasDetachedWhileInUse() throws Exception {
        Mount mount = mount("hive", fileSystem, quick());
        Files.writeString(mount.target().resolve("file"), "content");
        try (FileChannel used = FileChannel.open(mount.target().resolve("file"), StandardOpenOption.READ)) {
            shell("umount -l " + mount.target());
            assertThat(used.size()).isEqualTo(7);
            Mount next = mountAt(mount.target(), new MemoryFileSystem(executor), quick());

            mount.close();

            assertThat(mount.terminated()).isDone();
            assertThat(next.terminated()).isNotDone();
            assertThat(Files.exists(next.target().resolve("file"))).isFalse();
        }
    }

    @Test
    void shouldUnmountWhatWasMovedWithAFolderAboveIt() throws Exception {
        Mount mount = mount("before/hive", fileSystem, quick());
        String device = MountInfo.read().at(mount.target()).orElseThrow().device();
        Files.move(folder.resolve("before"), folder.resolve("after"));
        cleanUp(folder.resolve("after/hive"));

        mount.close();

        assertIsNowhere(mount, device);
    }

    @Test
    void shouldUnmountWhereItIsSeenBesides() throws Exception {
        Mount mount = mount("hive", fileSystem, quick());
        Path besides = Files.createDirectory(folder.resolve("besides"));
        cleanUp(besides);
        shell("mount --bind %s %s".formatted(mount.target(), besides));
        String device = MountInfo.read().at(besides).orElseThrow().device();

        mount.close();

        assertIsNowhere(mount, device);
    }

    private static void assertIsNowhere(Mount mount, String device) throws IOException {
        assertThat(mount.terminated()).isDone();
        assertThat(MountInfo.read().mounts())
                .extracting(MountInfo.Mount::device)
                .doesNotContain(device);
    }

    /** The kernel unmounts what is on top. */
    @Test
    void shouldLeaveWhatIsMountedOverIt() throws Exception {
        Mount mount = mount("hive", fileSystem, quick());
        cleanUp(mount.target());
        shell("mount -t tmpfs none " + mount.target());

        mount.close();

        assertThat(MountInfo.read().at(mount.target()))
                .map(MountInfo.Mount::type)
                .contains("tmpfs");
    }

    /** The kernel gives the number of a mount that is gone to the next one. */
    @Test
    void shouldNotAbortTheMountThatGotItsNumber() throws Exception {
        Path target = Files.createDirectory(folder.resolve("earlier"));
        NewMount earlier = mountUnserved(target);
        Umount.byForce(target);
        earlier.device().release();
        Mount later = mount("hive", fileSystem, MountOptions.DEFAULTS);
        assumeTrue(
                MountInfo.read()
                        .at(later.target())
                        .orElseThrow()
                        .device()
                        .equals(earlier.mount().device()),
                "another mount got the number");

        earlier.mount().abort();

        assertThat(Files.writeString(later.target().resolve("file"), "content")).hasContent("content");
        earlier.mount().release();
    }

    @Test
    void shouldCloseWhileAnOperationIsNeverAnswered() throws Exception {
        Mount mount = mount("hive", fileSystem, quick());
        Process caller = new ProcessBuilder("stat", mount.target() + "/stuck").start();
        fileSystem.awaitStuck(1);

        mount.close();

        assertThat(mount.terminated()).isDone();
        assertThat(caller.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThatNothingIsLeft();
    }

    @Test
    void shouldClearWhatADeadDaemonLeft() throws Exception {
        Path target = Files.createDirectory(folder.resolve("hive"));
        cleanUp(target);
        NewMount dead = mountUnserved(target);
        dead.device().release();
        dead.mount().release();
        assertThat(Files.isDirectory(target)).isFalse();

        Mount mount = mountAt(target, fileSystem, MountOptions.DEFAULTS);

        assertThat(Files.isDirectory(mount.target())).isTrue();
        assertThat(MountInfo.read().mounts())
                .filteredOn(entry -> entry.point().equals(target))
                .hasSize(1);
    }

    /**
     * As the mount of another daemon that is stopped. A thread that waits for it may keep this process from ever
     * ending.
     */
    @Test
    void shouldLeaveNoThreadWaitingForAMountThatDoesNotAnswer() throws Exception {
        Path target = Files.createDirectory(folder.resolve("hive"));
        cleanUp(target);
        NewMount silent = mountUnserved(target);
        try {
            assertThatThrownBy(() -> mountAt(target, fileSystem, MountOptions.DEFAULTS))
                    .hasMessageContaining("does not answer");

            assertThat(Thread.getAllStackTraces().values())
                    .noneSatisfy(stack -> assertThat(stack)
                            .anyMatch(frame -> frame.getMethodName().equals("statx")));
        } finally {
            silent.device().release();
            silent.mount().release();
        }
    }

    /**
     * Whoever mounts has found out where links lead: one that is there now may be of somebody else, and lead anywhere.
     */
    @Test
    void shouldRefuseAPlaceToWhichASymbolicLinkLeads() throws Exception {
        Path directory =
                Files.createDirectories(folder.resolve("a directory/hive")).toRealPath();
        Path onTheWay = Files.createSymbolicLink(folder.resolve("link"), Path.of("a directory"));
        Path last = Files.createSymbolicLink(folder.resolve("last"), directory);

        for (Path target : List.of(onTheWay.resolve("hive"), last)) {
            assertThatThrownBy(() -> mountAt(target, fileSystem, MountOptions.DEFAULTS))
                    .hasMessageContaining("a symbolic link leads to " + directory);
        }
        assertThat(MountInfo.read().at(directory)).isEmpty();
        cleanUp(directory);
    }

    @Test
    void shouldMountNowhereElseWhenItsPlaceBecomesALink() throws Exception {
        Path target = Files.createDirectory(folder.resolve("hive"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        cleanUp(elsewhere);
        try (OpenPlace place = OpenPlace.open(target)) {
            Path moved = Files.move(target, folder.resolve("moved"));
            cleanUp(moved);
            Files.createSymbolicLink(target, elsewhere);

            NewMount mounted = NewMount.at(place, MountOptions.DEFAULTS);

            assertThat(MountInfo.read().at(elsewhere)).isEmpty();
            assertThat(MountInfo.read().at(moved)).isPresent();
            mounted.device().release();
            mounted.mount().release();
        }
    }

    /** Whoever owns a folder on the way can put a link to another mount's folder there. */
    @Test
    void shouldUnmountNothingElseWhenAFolderOnTheWayBecomesALink() throws Exception {
        Path other = mount("elsewhere", fileSystem, MountOptions.DEFAULTS).target();
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.toRealPath());

        assertThat(Umount.byForce(link.resolve("elsewhere"))).isEqualTo(-Errno.ENOENT.number());

        assertThat(MountInfo.read().at(other)).isPresent();
    }

    @Test
    void shouldRefuseUnfitTargets() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Mount present = mount("hive", fileSystem, MountOptions.DEFAULTS);

        assertThatThrownBy(() -> mountAt(folder.resolve("absent"), fileSystem, MountOptions.DEFAULTS))
                .hasMessageContaining("no such directory");
        assertThatThrownBy(() -> mountAt(file, fileSystem, MountOptions.DEFAULTS))
                .hasMessageContaining("not a directory");
        assertThatThrownBy(() -> mountAt(folder, fileSystem, MountOptions.DEFAULTS))
                .hasMessageContaining("not empty");
        assertThatThrownBy(() -> mountAt(present.target(), fileSystem, MountOptions.DEFAULTS))
                .hasMessageContaining("mounted there already");
    }

    @Test
    void shouldAnswerEioForDefectsAndGoOn() throws Exception {
        MemoryFileSystem defective = new MemoryFileSystem(executor) {
            @Override
            public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
                if (name.toStringUtf8().equals("throws")) {
                    throw new IllegalStateException("a defect, made on purpose");
                }
                return super.lookup(caller, directory, name);
            }

            @Override
            public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
                return CompletableFuture.failedFuture(new IllegalStateException("a defect, made on purpose"));
            }
        };
        Path root =
                mount("hive", defective, MountOptions.DEFAULTS.withReaders(1)).target();

        assertThat(shell("cd %s; ! stat throws 2>&1; echo x > f; ! cat f 2>&1".formatted(root)))
                .contains("'throws': Input/output error", "f: Input/output error");
    }

    private static NewMount mountUnserved(Path target) throws IOException {
        try (OpenPlace place = OpenPlace.open(target)) {
            return NewMount.at(place, MountOptions.DEFAULTS);
        }
    }

    private static MountOptions quick() {
        return Altered.copy(
                MountOptions.DEFAULTS,
                Map.of(
                        "readers", 2,
                        "writeBuffers", 4,
                        "maxBackground", 16,
                        "unmountPatience", Duration.ofMillis(200)));
    }

    private static void assertThatNothingIsLeft() throws InterruptedException, IOException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("fuse-reader")) {
                thread.join(5000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(descriptors.filter(FuseMountTest::isOfAMount)).isEmpty();
        }
    }

    private static boolean isOfAMount(Path descriptor) {
        try {
            Path file = Files.readSymbolicLink(descriptor);
            return file.equals(Path.of("/dev/fuse")) || file.endsWith("abort");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
