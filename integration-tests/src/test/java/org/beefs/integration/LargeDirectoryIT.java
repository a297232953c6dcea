package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.beefs.common.posix.FileMode;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Length;
import org.junit.jupiter.api.Test;

/**
 * A directory of 20,000 entries, with --long a million, is listed completely and without repetition, while others come
 * and go.
 */
@InHive
class LargeDirectoryIT {
    private static final int ENTRIES = Length.of(20_000, 1_000_000);
    private static final int SMALL_BUFFER = 4096;
    private static final String PASSING = "passing-";

    @Test
    void shouldListEachLastingEntryOnceWhileOthersComeAndGo(Mounts mounts) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(mounts.local().resolve("large"));
        IntStream.range(0, ENTRIES)
                .parallel()
                .forEach(i -> Posix.mknod(folder.resolve(name(i)), FileMode.REGULAR | 0644));
        AtomicBoolean listed = new AtomicBoolean();
        Thread other =
                Thread.ofPlatform().start(() -> comeAndGo(mounts.sameDesktop().resolve("large"), listed));

        Map<String, Integer> seen = list(folder);
        listed.set(true);
        other.join();

        assertThat(seen.values()).as("times that an entry was listed").containsOnly(1);
        seen.keySet().removeIf(name -> name.startsWith(PASSING));
        assertThat(seen).hasSize(ENTRIES);
        assertThat(Posix.stat(folder).links()).isEqualTo(2);
        IntStream.range(0, ENTRIES).parallel().forEach(i -> Posix.unlink(folder.resolve(name(i))));
        Posix.rmdir(folder);
    }

    private static Map<String, Integer> list(Path folder) {
        Map<String, Integer> seen = new HashMap<>(2 * ENTRIES);
        try (OpenDirectory directory = new OpenDirectory(folder)) {
            directory.forEachRemaining(SMALL_BUFFER, entry -> seen.merge(entry.name(), 1, Integer::sum));
        }
        seen.keySet().removeAll(Set.of(".", ".."));
        return seen;
    }

    /** Each name is used only once, so that none may be listed twice. */
    private static void comeAndGo(Path folder, AtomicBoolean ended) {
        for (int i = 0; !ended.get(); i++) {
            Path passing = folder.resolve(PASSING + i);
            Posix.mknod(passing, FileMode.REGULAR | 0644);
            Posix.unlink(passing);
        }
    }

    private static String name(int number) {
        return "entry-%06d".formatted(number);
    }
}
