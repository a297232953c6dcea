package org.beefs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AndrewWorkloadTest {
    private static final List<String> NAMES =
            List.of("-p", "a", "a/b", "a/b/c d ", "line\nbreak", "$HOME", "\\ and 'quotes'");

    @TempDir
    Path folder = Path.of("");

    private Path source = Path.of("");
    private Path target = Path.of("");

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        target = Files.createDirectory(folder.resolve("target"));
        Files.writeString(source.resolve("file"), "1");
    }

    @Test
    void shouldMakeTheFoldersOfTheSourceWhateverTheyAreCalled() throws Exception {
        for (String name : NAMES) {
            Files.createDirectory(source.resolve(name));
        }

        makeFolders();

        assertThat(SourceTree.scan(source).folders()).hasSameSizeAs(NAMES).allMatch(this::isMade);
    }

    @Test
    void shouldMakeMoreFoldersThanOneCommandIsGiven() throws Exception {
        for (int i = 0; i < 600; i++) {
            Files.createDirectory(source.resolve("folder" + i));
        }

        makeFolders();

        assertThat(SourceTree.scan(source).folders()).hasSize(600).allMatch(this::isMade);
    }

    @Test
    void shouldSayWhichFolderCannotBeMade() throws IOException {
        Files.createDirectories(source.resolve("a/b"));
        SourceTree tree = SourceTree.scan(source);
        SourceTree withoutParent = new SourceTree(tree.top(), List.of(Path.of("a/b"), Path.of("a")), tree.files(), 1);

        assertThatThrownBy(() -> makeFolders(withoutParent))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("./a/b");
        assertThat(target.resolve("copy")).isEmptyDirectory();
    }

    private void makeFolders() throws Exception {
        makeFolders(SourceTree.scan(source));
    }

    private void makeFolders(SourceTree tree) throws Exception {
        new AndrewWorkload(tree, "").phases().getFirst().work().in(target);
    }

    private boolean isMade(Path relative) {
        return Files.isDirectory(target.resolve("copy").resolve(relative));
    }
}
