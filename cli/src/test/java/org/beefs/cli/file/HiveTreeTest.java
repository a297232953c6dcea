package org.beefs.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiveTreeTest {
    @TempDir
    private Path top;

    private final Seen seen = new Seen();

    /** Names of what was visited. */
    private static class Seen implements HiveTree.Visitor {
        final List<String> names = new ArrayList<>();
        final List<String> unseen = new ArrayList<>();

        @Override
        public void directory(Path path) {
            names.add(path.getFileName() + "/");
        }

        @Override
        public void file(Path path, BasicFileAttributes attributes) {
            names.add(path.getFileName().toString());
        }

        @Override
        public void unseen(Path path, String reason) {
            unseen.add(reason);
        }
    }

    @Test
    void shouldVisitRegularFilesAndDirectoriesAndFollowNoLinks() throws IOException {
        Path below = Files.createDirectories(top.resolve("below"));
        Files.createFile(below.resolve("file"));
        Files.createSymbolicLink(below.resolve("link"), top);

        HiveTree.walk(below, seen);

        assertThat(seen.names).containsExactly("below/", "file");
    }

    @Test
    void shouldRefuseWhatIsInNoHiveAlsoWhereALinkLeadsThere() throws IOException {
        Path folder = Files.createDirectory(top.toRealPath().resolve("folder"));
        Path link = Files.createSymbolicLink(top.resolve("link"), folder);

        assertThatThrownBy(() -> HiveTree.at(link))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(folder + " is in no hive");
        assertThatThrownBy(() -> HiveTree.at(top.resolve("none"))).hasMessageContaining("there is no ");
    }

    @Test
    void shouldGoOnWithoutWhatGoesAwayMeanwhile() throws IOException {
        for (int i = 0; i < 5; i++) {
            Files.createDirectory(top.resolve("d" + i));
        }

        HiveTree.walk(top, new Seen() {
            @Override
            public void directory(Path path) {
                seen.directory(path);
                if (!path.equals(top)) {
                    removeOthers(path);
                }
            }
        });

        assertThat(seen.names).hasSize(2);
        assertThat(seen.unseen).isEmpty();
    }

    @Test
    void shouldNameWhatCannotBeReadAndGoOn() {
        HiveTree.Walk walk = new HiveTree.Walk(seen);
        Path closed = Path.of("/closed");

        assertThat(walk.visitFileFailed(closed, new AccessDeniedException("/closed")))
                .isEqualTo(FileVisitResult.CONTINUE);
        assertThat(walk.postVisitDirectory(closed, new IOException("bad disk"))).isEqualTo(FileVisitResult.CONTINUE);
        assertThat(walk.visitFileFailed(closed, new NoSuchFileException("/closed")))
                .isEqualTo(FileVisitResult.CONTINUE);

        assertThat(seen.unseen).containsExactly("/closed: permission denied", "/closed: bad disk");
    }

    private void removeOthers(Path kept) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(top, path -> !path.equals(kept))) {
            for (Path other : all) {
                Files.delete(other);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
