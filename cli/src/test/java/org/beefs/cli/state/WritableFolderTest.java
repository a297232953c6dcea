package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.common.linux.FileOwner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which folders root works for a while. */
class WritableFolderTest {
    private static final int SOMEBODY = 12_345;

    private Path above;
    private Path folder;

    @BeforeEach
    void make(@TempDir Path temporary) throws IOException {
        above = Files.createDirectory(temporary.toRealPath().resolve("above"));
        folder = Files.createDirectory(above.resolve("folder"));
    }

    @Test
    void shouldUseAFolderOfOnesOwn() {
        assertThat(WritableFolder.of(folder)).isEqualTo(folder);
    }

    @Test
    void shouldUseAFolderInOneInWhichEachHasHisOwn() throws IOException {
        Files.setAttribute(above, "unix:mode", 01777);

        assertThat(WritableFolder.of(folder)).isEqualTo(folder);
    }

    @Test
    void shouldNotUseOneWhoseEntriesOthersMayRename() throws IOException {
        assumeRoot();
        Files.setAttribute(folder, "unix:mode", 0775);

        assertRefused(folder, folder);
    }

    @Test
    void shouldNotUseOneBelowSuchAFolder() throws IOException {
        assumeRoot();
        Files.setAttribute(above, "unix:mode", 0777);

        assertRefused(folder, above);
    }

    @Test
    void shouldNotUseOneBelowAFolderOfSomebodyElse() throws IOException {
        assumeRoot();
        Files.setAttribute(above, "unix:uid", SOMEBODY);

        assertRefused(folder, above);
    }

    @Test
    void shouldGoOnWithTheFolderToWhichALinkOfSomebodyElseHasLed() throws IOException {
        Path link = Files.createSymbolicLink(above.resolve("link"), folder);

        assertThat(WritableFolder.of(link)).isEqualTo(folder);
    }

    private static void assumeRoot() throws IOException {
        assumeTrue(FileOwner.ofThisProcess() == FileOwner.ROOT, "others may use what is theirs");
    }

    private static void assertRefused(Path given, Path because) {
        assertThatThrownBy(() -> WritableFolder.of(given))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("root does not use " + given)
                .hasMessageContaining("others may rename what is in " + because + ":");
    }
}
