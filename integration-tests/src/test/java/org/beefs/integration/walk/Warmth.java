package org.beefs.integration.walk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;

/**
 * Files beside a walk that nobody changes: how many looks at what was looked at just before still ask the daemon?
 * Between stretches of the walk all of them may, because what other mounts change makes the kernel ask for every name
 * again once (docs/decisions/kernel-caches.md). For one thread.
 */
public final class Warmth implements AutoCloseable {
    private static final int FOLDERS = 10;
    private static final int FILES = 30;

    private final Hive hive;
    private final Path mount;
    private final List<String> names = new ArrayList<>();

    /** Held open: what leads there is in a directory in which others make names. */
    private final OpenDirectory top;

    private long looks;
    private long requests;

    /** Makes the files in a new folder of the mount. */
    public Warmth(Hive hive, Path mount, String folder) throws IOException {
        this.hive = hive;
        this.mount = mount;
        Path made = Files.createDirectory(mount.resolve(folder));
        for (int i = 0; i < FOLDERS; i++) {
            Path child = Files.createDirectory(made.resolve("folder" + i));
            names.add("folder" + i);
            for (int j = 0; j < FILES; j++) {
                Files.createFile(child.resolve("file" + j));
                names.add("folder" + i + "/file" + j);
            }
        }
        top = new OpenDirectory(made);
    }

    /** Looks at all of them twice, and counts the second time. */
    public void look() {
        lookAtAll();
        long before = asked();
        lookAtAll();
        requests += asked() - before;
        looks += names.size();
    }

    private void lookAtAll() {
        names.forEach(name -> Posix.lstat(top.at(name)));
    }

    /** Looks that were counted. */
    public long looks() {
        return looks;
    }

    /** What the kernel asked in their course. */
    public long requests() {
        return requests;
    }

    @Override
    public void close() {
        top.close();
    }

    private long asked() {
        return hive.requests(mount).of("LOOKUP", "GETATTR");
    }
}
