package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.junit.jupiter.api.Test;

/**
 * A program goes through a tree on another desktop, of which directories and small files are fetched before it gets
 * there, and somebody changes it meanwhile.
 */
@InHive
class WalksIT {
    private static final int DIRECTORIES = 12;
    private static final int FILES = 12;
    private static final int ROUNDS = 6;

    private final Random random = new Random(1);
    private final Map<String, String> expected = new TreeMap<>();
    private int changes;

    @Test
    void shouldShowWhatIsChangedJustAheadOfAWalk(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path changed = Files.createDirectory(hive.mount().resolve("tree"));
        Path walked = hive.mountOn("desktop2").resolve("tree");
        for (int i = 0; i < DIRECTORIES; i++) {
            Files.createDirectory(changed.resolve("directory" + i));
            for (int j = 0; j < FILES; j++) {
                write(changed, "directory%d/file%d".formatted(i, j));
            }
        }

        for (int round = 0; round < ROUNDS; round++) {
            Map<String, String> seen = walk(walked, changed);

            assertThat(seen).isEqualTo(expected);
        }
    }

    /** What each file had when it was read, and whoever has read it, of those that are there in the end. */
    private Map<String, String> walk(Path walked, Path changed) throws IOException {
        Map<String, String> seen = new TreeMap<>();
        for (Path directory : list(walked)) {
            List<Path> files = list(directory);
            assertThat(files)
                    .extracting(file -> walked.relativize(file).toString())
                    .containsExactlyInAnyOrderElementsOf(expectedIn(walked.relativize(directory) + "/"));
            for (int i = 0; i < files.size(); i++) {
                String name = walked.relativize(files.get(i)).toString();
                seen.put(name, Files.readString(files.get(i)));
                changeAhead(walked, changed, files.subList(i + 1, files.size()));
            }
            makeElsewhere(walked.relativize(directory).toString(), changed);
        }
        return seen;
    }

    private void changeAhead(Path walked, Path changed, List<Path> left) throws IOException {
        if (!left.isEmpty() && random.nextInt(3) == 0) {
            Path next = left.get(random.nextInt(Math.min(8, left.size())));
            write(changed, walked.relativize(next).toString());
        }
    }

    /** In a directory that is still to come, of which it does not matter which. */
    private void makeElsewhere(String reached, Path changed) throws IOException {
        List<String> later = new ArrayList<>();
        for (int i = 0; i < DIRECTORIES; i++) {
            if (i > Integer.parseInt(reached.substring("directory".length()))) {
                later.add("directory" + i);
            }
        }
        if (!later.isEmpty()) {
            write(changed, later.get(random.nextInt(Math.min(4, later.size()))) + "/new" + changes);
        }
    }

    private void write(Path tree, String name) throws IOException {
        String content = "change %d of %s".formatted(++changes, name).repeat(1 + random.nextInt(100));
        Files.writeString(tree.resolve(name), content);
        expected.put(name, content);
    }

    private List<String> expectedIn(String directory) {
        return expected.keySet().stream()
                .filter(name -> name.startsWith(directory))
                .toList();
    }

    /** In the order of the file system, as programs that walk do. */
    private static List<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
