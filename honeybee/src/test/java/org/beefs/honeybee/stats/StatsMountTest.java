package org.beefs.honeybee.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.beefs.honeybee.fuse.MemoryFileSystem;
import org.beefs.honeybee.fuse.MountedTest;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs see of {@code .beefs/stats} in a real mount. */
class StatsMountTest extends MountedTest {
    private final MemoryFileSystem fileSystem = new MemoryFileSystem(executor);
    private volatile String text = "all is well\n";
    private Path root = Path.of("/nonexistent");

    @BeforeEach
    void mountModel() throws IOException {
        root = mount(
                        "hive",
                        new StatsFileSystem(fileSystem, () -> text, Instant.ofEpochSecond(1_700_000_000)),
                        MountOptions.DEFAULTS)
                .target();
    }

    @Test
    void shouldBeReadByAllKindsOfProgramsAndUsers() throws Exception {
        assertThat(Files.readString(root.resolve(".beefs/stats"))).isEqualTo(text);
        assertThat(shell("""
                cd %s
                cat .beefs/stats
                grep -c well .beefs/stats
                cp .beefs/stats %s/copy; cat %2$s/copy
                setpriv --reuid 65534 --regid 65534 --clear-groups tail -n 1 .beefs/stats
                ls -A .beefs
                stat -c '%%A %%u %%Y' .beefs .beefs/stats
                """.formatted(root, folder)))
                .isEqualTo(
                        text + "1\n" + text + text + "stats\n" + "dr-xr-xr-x 0 1700000000\n-r--r--r-- 0 1700000000\n");
    }

    @Test
    void shouldTellAnewAtEachOpenAndTheSameUntilItIsClosed() throws Exception {
        try (InputStream open = Files.newInputStream(root.resolve(".beefs/stats"))) {
            text = "nothing is well any more\n";

            assertThat(new String(open.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("all is well\n");
        }
        assertThat(Files.readString(root.resolve(".beefs/stats"))).isEqualTo(text);
    }

    @Test
    void shouldNotBeSeenByProgramsThatWalkTheTree() throws Exception {
        assertThat(shell("""
                cd %s
                mkdir folder; echo text > folder/file; echo text > .hidden
                find . | sort
                rm -r ./* ./.h*
                ls -A
                """.formatted(root))).isEqualTo(".\n./.hidden\n./folder\n./folder/file\n");
    }

    @Test
    void shouldBeChangedByNobody() throws Exception {
        shell("""
                cd %s
                fails() { ! "$@" 2> %s/errors && grep -Eq 'Read-only|exists|cross-device|busy' %2$s/errors; }
                echo text > file; mkdir folder
                fails dd if=/dev/null of=.beefs/stats
                fails touch .beefs/more
                fails mkdir .beefs/more
                fails mkdir .beefs
                fails rm -f .beefs/stats
                fails rmdir .beefs
                fails chmod 777 .beefs/stats
                fails touch -d @1 .beefs
                fails setfattr -n user.name -v value .beefs/stats
                fails mv .beefs other
                fails mv -T folder .beefs
                fails ln .beefs/stats link
                fails ln file .beefs/file
                test -z "$(getfattr -d .beefs/stats)"
                ls
                """.formatted(root, folder));
        assertThat(Files.readString(root.resolve(".beefs/stats"))).isEqualTo(text);
    }

    @Test
    void shouldNotEndAListingWhereSomethingIsHidden() throws Exception {
        Path plain = mount("plain", fileSystem, MountOptions.DEFAULTS).target();
        shell("mkdir %s/.beefs; echo text > %1$s/file".formatted(plain));
        StatsFileSystem stats = new StatsFileSystem(fileSystem, () -> text, Instant.EPOCH);

        assertThat(stats.listDirectory(1, 0, 1, false).get(10, TimeUnit.SECONDS).entries())
                .extracting(entry -> entry.name().toStringUtf8())
                .containsExactly("file");
    }

    @Test
    void shouldHideWhatTheFileSystemHasOfThatName() throws Exception {
        Path plain = mount("plain", fileSystem, MountOptions.DEFAULTS).target();
        shell("mkdir %s/.beefs; echo theirs > %1$s/.beefs/stats".formatted(plain));

        assertThat(shell("cat %s/.beefs/stats; ls -A %1$s".formatted(root))).isEqualTo(text);
    }
}
