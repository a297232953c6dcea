package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.beefs.common.linux.FileOwner;
import org.beefs.honeycomb.state.Identity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which folders a start takes for a honeycomb. */
class ForeignFolderTest {
    @TempDir
    Path temporary;

    private Path folder;

    @BeforeEach
    void make() throws IOException {
        UserXattrs.require(temporary);
        folder = Files.createDirectory(temporary.resolve("comb"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(LinuxFolder.parent(file));
        Files.writeString(file, "somebody's");
    }

    private void assertRefusedUntouched(String because) throws IOException {
        List<String> before = listing();

        assertThatThrownBy(() -> LinuxReplicaFiles.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining(because)
                .message()
                .hasLineCount(1);

        assertThat(listing()).isEqualTo(before);
    }

    private List<String> listing() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted()
                    .map(path -> path + " " + path.toFile().length() + " " + permissions(path))
                    .toList();
        }
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void assertUsable() throws IOException {
        LinuxReplicaFiles.open(folder).close();
        assertThat(permissions(folder)).isEqualTo("rwx------");
    }

    @Test
    void shouldNotTouchAFolderThatIsUsedForSomethingElse() throws IOException {
        write("home/letter");
        write("incoming/letter");
        write("probe");

        assertRefusedUntouched("home");
    }

    @Test
    void shouldNotTouchAFolderWhoseNamesAreItsOwnByChance() throws IOException {
        write("incoming/letter");

        assertRefusedUntouched("incoming");
    }

    @Test
    void shouldNotTouchAFolderThatHasALockOfSomethingElse() throws IOException {
        Files.createFile(folder.resolve("lock"));
        write("letter");

        assertRefusedUntouched("letter");
    }

    /** As a spooler's. */
    @Test
    void shouldNotTouchAFolderThatHasALockAndLettersThatHaveComeIn() throws IOException {
        Files.createFile(folder.resolve("lock"));
        write("incoming/letter");

        assertRefusedUntouched("incoming");
    }

    @Test
    void shouldNotTakeALockWithSomethingInItForItsOwn() throws IOException {
        write("lock");

        assertRefusedUntouched("lock");
    }

    @Test
    void shouldNotTouchAFolderThatIsNoHoneycombsAlthoughItHasSuchAFile() throws IOException {
        write("honeycomb.json");
        write("incoming/letter");

        assertRefusedUntouched("honeycomb.json");
    }

    /** He could put a link there in place of any file. */
    @Test
    void shouldNotTouchAFolderOfAnotherUser() throws IOException {
        assumeTrue(FileOwner.ofThisProcess() == FileOwner.ROOT, "only root can give folders away");
        assertUsable();
        Files.setAttribute(folder, "unix:uid", 1000);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertRefusedUntouched("it belongs to another user (1000)");
    }

    @Test
    void shouldNotFollowALinkInPlaceOfTheLock() throws IOException {
        LinuxReplicaFiles.open(folder).close();
        Path others = temporary.resolve("others");
        Files.delete(folder.resolve("lock"));
        Files.createSymbolicLink(folder.resolve("lock"), others);

        assertThatThrownBy(() -> LinuxReplicaFiles.open(folder)).isInstanceOf(IOException.class);
        assertThat(others).doesNotExist();
    }

    /** Else it would be emptied. */
    @Test
    void shouldNotBelieveWhatOthersMayHavePutThere() throws IOException {
        Path victim = Files.createDirectory(temporary.resolve("victim"));
        Files.writeString(victim.resolve("letter"), "somebody's");
        assertUsable();
        writeIdentity();
        Files.delete(folder.resolve("incoming"));
        Files.createSymbolicLink(folder.resolve("incoming"), victim);

        assertRefusedUntouched("incoming in it is a symbolic link");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefusedUntouched("others may have put there what is in it");

        assertThat(victim.resolve("letter")).hasContent("somebody's");
    }

    private void writeIdentity() throws IOException {
        try (LinuxReplicaFiles files = LinuxReplicaFiles.open(folder)) {
            files.writeIdentity(Identity.create(new Random(1)).encode());
        }
    }

    @Test
    void shouldNotUseAPartOfAnotherUser() throws IOException {
        assumeTrue(FileOwner.ofThisProcess() == FileOwner.ROOT, "only root can give folders away");
        assertUsable();
        Files.setAttribute(folder.resolve("incoming"), "unix:uid", 1000);

        assertRefusedUntouched("incoming in it belongs to another user");
    }

    @Test
    void shouldUseAnEmptyFolderThatOthersMayWrite() throws IOException {
        Files.createDirectory(folder.resolve("lost+found"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertUsable();
    }

    /** Under a new identity the queen-bee would not know that its replicas are here. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicas/00/00/0000000000000005.00000000",
                "fenced/uncopied/0000000000000005.00000000",
                "lost/old"
            })
    void shouldNotTakeAHoneycombThatHasLostItsIdentityForOneThatIsNew(String file) throws IOException {
        assertUsable();
        write(file);

        assertRefusedUntouched("honeycomb.json");
    }

    @Test
    void shouldUseAnEmptyFolder() throws IOException {
        assertUsable();
    }

    @Test
    void shouldUseAFreshDisk() throws IOException {
        Files.createDirectory(folder.resolve("lost+found"));

        assertUsable();
    }

    @Test
    void shouldGoOnWhereAFirstStartHasDied() throws IOException {
        Files.createFile(folder.resolve("lock"));
        assertUsable();
        write("probe");
        write("honeycomb.json.new");
        write("catalog/CURRENT");
        write("catalog.damaged/CURRENT");

        assertUsable();
    }
}
