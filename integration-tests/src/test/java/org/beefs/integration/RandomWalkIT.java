package org.beefs.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Length;
import org.beefs.integration.walk.Mount;
import org.beefs.integration.walk.Walk;
import org.junit.jupiter.api.Test;

/** Two mounts agree at once, whatever is done through either of them. {@code -Dbeefs.operations} and {@code -Dbeefs.seed} choose a walk. */
@InHive
class RandomWalkIT {
    @Test
    void shouldAgreeOnOneDesktop(Mounts mounts) throws IOException {
        walk(1, "one-desktop", Length.of(4_000, 1_000_000), mounts.local(), mounts.sameDesktop());
    }

    @Test
    void shouldAgreeOnTwoDesktops(Mounts mounts) throws IOException {
        walk(2, "two-desktops", Length.of(12_000, 1_000_000), mounts.local(), mounts.otherDesktop());
    }

    /** The walk's root has a folder of its own around it, because links with ".." lead there. */
    private static void walk(long seed, String folder, int operations, Path first, Path second) throws IOException {
        String root = folder + "/root";
        Files.createDirectories(first.resolve(root));
        List<Mount> views = List.of(new Mount("A", first.resolve(root)), new Mount("B", second.resolve(root)));
        try (Walk walk = new Walk(Length.seed(seed), views)) {
            walk.go(Integer.getInteger("beefs.operations", operations));
        }
    }
}
