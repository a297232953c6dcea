package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Pages, names and inodes that the kernel keeps for all file systems of the machine. */
record KernelCaches(Path control) {
    static KernelCaches ofThisMachine() {
        return new KernelCaches(Path.of("/proc/sys/vm/drop_caches"));
    }

    /** Only root may. */
    boolean canBeDropped() {
        return Files.isWritable(control);
    }

    /** What is not on disk yet is brought there before: otherwise it would stay. */
    void drop() throws IOException, InterruptedException {
        ShellCommand.of("sync").run(Path.of("/"));
        Files.writeString(control, "3", StandardOpenOption.WRITE);
    }
}
