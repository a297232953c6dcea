package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.beefs.common.posix.FileMode;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
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
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void shouldListEachLastingEntryOnceWhileOthersComeAndGo(Mounts mounts) throws IOException {
        Path folder = Files.createDirectory(mounts.local().resolve("large"));
        IntStream.range(0, ENTRIES)
                .parallel()
                .forEach(i -> Posix.mknod(folder.resolve(name(i)), FileMode.REGULAR | 0644));
        Path elsewhere = mounts.sameDesktop().resolve("large");
        AtomicInteger passed = new AtomicInteger();
        AtomicBoolean listed = new AtomicBoolean();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> comeAndGo(elsewhere, passed, listed));

        Map<String, Integer> seen;
        try {
            seen = list(folder, () -> awaitPassing(passed, other));
        } finally {
            listed.set(true);
            other.join();
        }

        assertThat(seen.values()).as("times that an entry was listed").containsOnly(1);
        seen.keySet().removeIf(name -> name.startsWith(PASSING));
        assertThat(seen).hasSize(ENTRIES);
        assertThat(Posix.stat(folder).links()).isEqualTo(2);
        IntStream.range(0, ENTRIES).parallel().forEach(i -> Posix.unlink(folder.resolve(name(i))));
        Posix.rmdir(folder);
    }

    /** Does something when about half was listed. */
    private static Map<String, Integer> list(Path folder, Runnable halfway) {
        Map<String, Integer> seen = new HashMap<>(2 * ENTRIES);
        try (OpenDirectory directory = new OpenDirectory(folder)) {
            directory.forEachRemaining(SMALL_BUFFER, entry -> {
                seen.merge(entry.name(), 1, Integer::sum);
                if (seen.size() == ENTRIES / 2) {
                    halfway.run();
                }
            });
        }
        seen.keySet().removeAll(Set.of(".", ".."));
        return seen;
    }

    /** Each name is used only once, so that none may be listed twice. */
    private static void comeAndGo(Path folder, AtomicInteger passed, AtomicBoolean ended) {
        while (!ended.get()) {
            Path passing = folder.resolve(PASSING + passed.get());
            Posix.mknod(passing, FileMode.REGULAR | 0644);
            Posix.unlink(passing);
            passed.incrementAndGet();
        }
    }

    private static void awaitPassing(AtomicInteger passed, CompletableFuture<Void> other) {
        int before = passed.get();
        Await.until(SOON, "more names came and went", () -> passed.get() > before + 1 || other.isDone());
    }

    private static String name(int number) {
        return "entry-%06d".formatted(number);
    }
}
