package org.beefs.integration.walk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.linux.Posix;

/**
 * Files beside a walk that nobody changes: how many looks at what was looked at just before still ask the daemon? Between stretches of
 * the walk all of them may, because what other mounts change makes the kernel ask for every name again once (docs/decisions/kernel-caches.md).
 * For one thread.
 */
public final class Warmth {
    private static final int FOLDERS = 10;
    private static final int FILES = 30;

    private final Hive hive;
    private final Path mount;
    private final List<Path> names = new ArrayList<>();
    private long looks;
    private long requests;

    /** Makes the files in a new folder of the mount. */
    public Warmth(Hive hive, Path mount, String folder) throws IOException {
        this.hive = hive;
        this.mount = mount;
        for (int i = 0; i < FOLDERS; i++) {
            Path child = Files.createDirectories(mount.resolve(folder).resolve("folder" + i));
            names.add(child);
            for (int j = 0; j < FILES; j++) {
                names.add(Files.createFile(child.resolve("file" + j)));
            }
        }
        names.forEach(Posix::lstat); // what was only made is asked for once more
    }

    /** Looks at all of them twice, and counts the second time. */
    public void look() {
        names.forEach(Posix::lstat);
        long before = asked();
        names.forEach(Posix::lstat);
        requests += asked() - before;
        looks += names.size();
    }

    /** Looks that were counted. */
    public long looks() {
        return looks;
    }

    /** What the kernel asked in their course. */
    public long requests() {
        return requests;
    }

    private long asked() {
        return hive.requests(mount).of("LOOKUP", "GETATTR");
    }
}
