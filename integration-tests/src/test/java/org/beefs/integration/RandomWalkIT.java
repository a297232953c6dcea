package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Length;
import org.beefs.integration.walk.Mount;
import org.beefs.integration.walk.Walk;
import org.beefs.integration.walk.Warmth;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * All mounts agree at once, whatever is done through any of them; and what nobody changes the kernel knows meanwhile.
 * {@code -Dbeefs.operations} and {@code -Dbeefs.seed} choose a walk, {@code -Dbeefs.look=1} narrows down which
 * operation did harm. The walks go on side by side, each in a folder of its own: one alone mostly waits for processes
 * to wake up.
 */
@InHive
class RandomWalkIT {
    private static final int LONG = 1_000_000;

    /** Operations between looks at what lies beside the walk. */
    private static final int STRETCH = 3_000;

    @AfterAll
    static void shouldBeSound(Mounts mounts) {
        mounts.assertSound();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldAgreeOnOneDesktop(Mounts shared, Hive hive) throws IOException {
        Mounts mounts = shared.fresh();
        walk(hive, 1, "one-desktop", Length.of(6_000, LONG), mounts.local(), mounts.sameDesktop());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldAgreeOnTwoDesktops(Mounts shared, Hive hive) throws IOException {
        Mounts mounts = shared.fresh();
        walk(hive, 2, "two-desktops", Length.of(6_000, LONG), mounts.local(), mounts.otherDesktop());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldAgreeWithADesktopWithoutHoneycomb(Mounts shared, Hive hive) throws IOException {
        Mounts mounts = shared.fresh();
        int operations = Length.of(3_000, LONG);
        walk(hive, 3, "three-desktops", operations, mounts.local(), mounts.otherDesktop(), mounts.withoutHoneycomb());
    }

    /** The walk's root has a folder of its own around it, because links with ".." lead there. */
    private static void walk(Hive hive, long seed, String folder, int operations, Path... mounts) throws IOException {
        Path root = Path.of(folder, "root");
        Files.createDirectories(mounts[0].resolve(root));
        List<Mount> views = IntStream.range(0, mounts.length)
                .mapToObj(i -> new Mount(Character.toString('A' + i), mounts[i].resolve(root)))
                .toList();
        try (Warmth warmth = new Warmth(hive, mounts[0], folder + "-beside");
                Walk walk = new Walk(Length.seed(seed), views)) {
            int rest = Integer.getInteger("beefs.operations", operations);
            for (; rest > 0; rest -= STRETCH) {
                walk.go(Math.min(STRETCH, rest));
                warmth.look();
            }
            assertThat(warmth.requests())
                    .as("requests of the kernel for %d looks at what nobody has changed", warmth.looks())
                    .isLessThanOrEqualTo(warmth.looks() / 10);
        }
    }
}
