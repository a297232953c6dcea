package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Await;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.beefs.honeybee.fuse.operations.OpenDirectories;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.Test;

/** What the kernel remembers of a hive whose queen-bee grants leases, and that it forgets in time. */
class FuseCachesTest extends LeasedHiveTest {
    @Test
    void shouldAskNothingTwice() throws Exception {
        addFile("f");
        stat("f");
        Map<String, Long> before = mount.requests();

        stat("f");
        Files.exists(root);

        assertThat(mount.requests()).isEqualTo(before).containsEntry("LOOKUP", 1L);
    }

    @Test
    void shouldRememberThatAFileIsAbsentUntilItIsMade() throws Exception {
        assertThat(root.resolve("f")).doesNotExist();
        Map<String, Long> before = mount.requests();
        assertThat(root.resolve("f")).doesNotExist();
        assertThat(mount.requests()).isEqualTo(before);

        long inode = addFile("f");
        recallName("f");
        assertThat(stat("f")).isEqualTo(inode);
        Files.writeString(root.resolve("own"), "x");
        assertThat(root.resolve("own")).exists();
    }

    @Test
    void shouldAskAgainForAttributesThatWereRecalled() throws Exception {
        long inode = addFile("f");
        assertThat(mode("f")).isEqualTo(0644);

        onHive(() -> hive.queen.node(inode).getAttributesBuilder().setMode(0100600));
        assertThat(mode("f")).isEqualTo(0644);
        recallAttributes(inode);

        assertThat(mode("f")).isEqualTo(0600);
    }

    /** Each path begins there, and Linux looks at lists of directories that are not the caller's. */
    @Test
    void shouldAskForTheRootsAccessControlListOnce() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        addFile("f");
        String look = "setpriv --reuid 1000 --regid 1000 --clear-groups stat %s/f".formatted(root);
        shell(look);

        // Again where it took so long that leases ended meanwhile.
        Await.until("nothing is asked again", () -> {
            Map<String, Long> before = mount.requests();
            shell(look);
            return mount.requests().equals(before);
        });
    }

    @Test
    void shouldAskAgainForTheRootsAttributesWhenTheyWereRecalled() throws Exception {
        assertThat(mode("")).isEqualTo(0755);

        onHive(() -> hive.queen.node(FileSystem.ROOT).getAttributesBuilder().setMode(0040700));
        assertThat(mode("")).isEqualTo(0755);
        recallAttributes(FileSystem.ROOT);

        assertThat(mode("")).isEqualTo(0700);
        assertThat(shell("stat --format %i " + root)).isEqualTo(FileSystem.ROOT + "\n");
    }

    @Test
    void shouldAskAgainForNamesThatWereRecalled() throws Exception {
        long inode = addFile("f");
        stat("f");

        recallName("f");
        onHive(() -> hive.queen.rename("f", "g"));

        assertThat(root.resolve("f")).doesNotExist();
        assertThat(stat("g")).isEqualTo(inode);
    }

    @Test
    void shouldAskAgainForWhatAListingHasTold() throws Exception {
        long inode = addFile("f");
        addFile("g");
        shell("ls -l " + root);
        shell("stat %1$s/f %1$s/g --format %%i".formatted(root));
        assertThat(mount.requests()).doesNotContainKey("LOOKUP").containsEntry("GETATTR", 1L);

        onHive(() -> hive.queen.node(inode).getAttributesBuilder().setMode(0100600));
        recallAttributes(inode);
        recallName("g");
        onHive(() -> hive.queen.rename("g", "h"));

        assertThat(mode("f")).isEqualTo(0600);
        assertThat(shell("ls " + root)).isEqualTo("f\nh\n");
        assertThat(root.resolve("g")).doesNotExist();
    }

    /** As find(1) and rm(1) do; the kernel by itself would ask for the attributes of the first page only. */
    @Test
    void shouldTellTheAttributesOfAWholeListingToWhoListsFirstAndLooksThen() throws Exception {
        addFiles(1000);

        look("[os.stat(name) for name in os.listdir()]");

        assertThat(mount.requests()).doesNotContainKeys("LOOKUP", "READDIR");
    }

    @Test
    void shouldListALargeDirectoryWithFewAttributesUnlessTheyAreWanted() throws Exception {
        addFiles(OpenDirectories.WITH_ATTRIBUTES + 1500);

        look("names = os.listdir(); assert len(set(names)) == %d; [os.stat(name) for name in names[-200:]]"
                .formatted(OpenDirectories.WITH_ATTRIBUTES + 1500));
        assertThat(mount.requests()).containsEntry("LOOKUP", 200L);

        look("[entry.stat() for entry in os.scandir()]");
        assertThat(mount.requests().get("LOOKUP")).isLessThan(200 + 500);
    }

    @Test
    void shouldAnswerARecallWhileALookupInTheDirectoryIsNotAnswered() throws Exception {
        long inode = addFile("f");
        stat("f");
        onHive(() -> {
            hive.queen.setMute(true);
            return 0;
        });
        Process stuck = start("stat %s/other".formatted(root));
        Await.until("the lookup is asked for", () -> mount.requests().getOrDefault("LOOKUP", 0L) >= 2);

        recallName("f");
        recallAttributes(inode);

        assertThat(stuck.isAlive()).isTrue();
        stuck.descendants().forEach(ProcessHandle::destroyForcibly);
        stuck.destroyForcibly();
    }

    @Test
    void shouldShowItsOwnChangesInOtherMountsAtOnce() throws Exception {
        Path other = mount(
                        "other",
                        new HiveFileSystem(hive.proxy, hive.honeycombs, hive.timers, FakeHive.CONFIG, false),
                        MountOptions.DEFAULTS)
                .target();
        addFile("f");
        for (int i = 0; i < 20; i++) {
            Files.setAttribute(root.resolve("f"), "unix:mode", 0600 + i % 8);
            assertThat(mode(other.resolve("f"))).isEqualTo(0600 + i % 8);
            assertThat(other.resolve("new" + i)).doesNotExist();
            Files.createFile(root.resolve("new" + i));
            assertThat(other.resolve("new" + i)).exists();
            Files.delete(other.resolve("new" + i));
            assertThat(root.resolve("new" + i)).doesNotExist();
        }
    }

    @Test
    void shouldLetTheKernelCheckPermissions() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        long inode = addFile("f");
        assertThat(shell("setpriv --reuid 1000 --regid 1000 --clear-groups cat %s/f".formatted(root)))
                .isEmpty();
        Map<String, Long> before = mount.requests();
        onHive(() -> hive.queen.node(inode).getAttributesBuilder().setMode(0100600));
        recallAttributes(inode);

        String refused = shell("! setpriv --reuid 1000 --regid 1000 --clear-groups cat %s/f 2>&1".formatted(root));

        assertThat(refused).contains("Permission denied");
        assertThat(mount.requests().get("OPEN")).isEqualTo(before.get("OPEN"));
    }

    @Test
    void shouldAskEachTimeForTheSizeOfAFileThatIsBeingWritten() throws Exception {
        long inode = addFile("f");
        stat("f");
        recallAttributes(inode);
        onHive(() -> hive.queen.layout(inode).setDirty(true));
        for (int size = 1; size < 4; size++) {
            Timestamp mtime = Timestamp.newBuilder().setSeconds(size).build();
            String content = "x".repeat(size);
            onHive(() -> {
                hive.honeycomb.put(inode, content, mtime);
                return 0;
            });
            assertThat(Files.size(root.resolve("f"))).isEqualTo(size);
        }
    }

    @Test
    void shouldForgetEverythingWhenTheQueenBeeIsSilent() throws Exception {
        long inode = addFile("f");
        stat("f");
        onHive(() -> {
            hive.queen.setMute(true);
            hive.queen.node(inode).getAttributesBuilder().setMode(0100600);
            return 0;
        });
        CompletableFuture<Void> silence = new CompletableFuture<>();
        hive.timers.schedule(Duration.ofSeconds(5), () -> silence.complete(null));
        silence.get(60, TimeUnit.SECONDS);

        Future<Integer> mode = executor.submit(() -> mode("f"));
        onHive(() -> {
            hive.queen.setMute(false);
            return 0;
        });

        assertThat(mode.get(60, TimeUnit.SECONDS)).isEqualTo(0600);
    }

    @Test
    void shouldSeeAFileThatWasMadeAfterItsMakerWasKilled() throws Exception {
        onHive(() -> hive.queen.held = OperationCase.CREATE);
        Process maker = new ProcessBuilder("bash", "-c", "set -o noclobber; > " + root.resolve("f")).start();
        Await.until("the file is being made", () -> mount.requests().containsKey("CREATE"));
        maker.destroyForcibly();
        assertThat(maker.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(root.resolve("f")).doesNotExist();

        onHive(() -> {
            hive.queen.letGo();
            return 0;
        });
        Await.until("the file is closed", () -> onHive(() -> !hive.queen.releases.isEmpty()));

        assertThat(root.resolve("f")).exists();
    }

    private void addFiles(int number) throws Exception {
        onHive(() -> {
            for (int i = 0; i < number; i++) {
                hive.queen.addFile(
                        "f" + i,
                        hive.honeycomb.layout(),
                        Attributes.newBuilder().setMode(0100644));
            }
            return 0;
        });
    }

    /** Runs Python in the mount, which it enters when it has begun: so it looks there for nothing of its own. */
    private void look(String script) throws Exception {
        shell("python3 -I -c 'import os; os.chdir(\"%s\"); %s'".formatted(root, script));
    }

    private long stat(String name) throws IOException {
        return (long) Files.getAttribute(root.resolve(name), "unix:ino");
    }

    private int mode(String name) throws IOException {
        return mode(root.resolve(name));
    }

    private static int mode(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:mode") & 07777;
    }
}
