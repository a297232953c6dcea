package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.linux.FileOwner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which folders root works for a while. */
class WritableFolderTest {
    private static final int SOMEBODY = 12_345;

    private final List<String> warnings = new ArrayList<>();
    private Path above;
    private Path folder;

    @BeforeEach
    void make(@TempDir Path temporary) throws IOException {
        above = Files.createDirectory(temporary.toRealPath().resolve("above"));
        folder = Files.createDirectory(above.resolve("folder"));
    }

    @Test
    void shouldUseAFolderOfOnesOwn() {
        assertThat(WritableFolder.of(folder, warnings::add)).isEqualTo(folder);
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldUseAFolderInOneInWhichEachHasHisOwn() throws IOException {
        Files.setAttribute(above, "unix:mode", 01777);

        assertThat(WritableFolder.of(folder, warnings::add)).isEqualTo(folder);
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldWarnOfOneWhoseEntriesOthersMayRename() throws IOException {
        assumeRoot();
        Files.setAttribute(folder, "unix:mode", 0775);

        assertWarning(folder);
    }

    @Test
    void shouldWarnOfOneBelowSuchAFolder() throws IOException {
        assumeRoot();
        Files.setAttribute(above, "unix:mode", 0777);

        assertWarning(above);
    }

    @Test
    void shouldWarnOfOneBelowAFolderOfSomebodyElse() throws IOException {
        assumeRoot();
        Files.setAttribute(above, "unix:uid", SOMEBODY);

        assertWarning(above);
    }

    @Test
    void shouldGoOnWithTheFolderToWhichALinkOfSomebodyElseHasLed() throws IOException {
        Path link = Files.createSymbolicLink(above.resolve("link"), folder);

        assertThat(WritableFolder.of(link, warnings::add)).isEqualTo(folder);
    }

    private static void assumeRoot() throws IOException {
        assumeTrue(FileOwner.ofThisProcess() == FileOwner.ROOT, "others may use what is theirs");
    }

    private void assertWarning(Path because) {
        assertThat(WritableFolder.of(folder, warnings::add)).isEqualTo(folder);
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("others may rename what is in " + because + " while root works in " + folder + ";");
    }
}
