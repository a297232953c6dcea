package org.beefs.integration.faults;

import java.nio.file.Path;
import java.time.Duration;
import org.beefs.integration.program.Program;

/** A disk as it was at one moment, mounted: what would be there had the power failed then. For one thread. */
public final class DiskCopy implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final Path folder;

    private DiskCopy(Path folder) {
        this.folder = folder;
    }

    /**
     * Copies a disk until nothing was written to it meanwhile, and mounts the copy. Whoever writes to it must be
     * stopped; the kernel may still write what they have left to it.
     */
    public static DiskCopy of(SmallDisk disk, Path base) {
        DiskCopy copy = new DiskCopy(base.resolve("copy"));
        Program.shell("""
                        mkdir -p "$COPY"
                        for try in 1 2 3 4 5 6 7 8 9 10; do
                            cp --sparse=always "$IMAGE" "$COPY.image"
                            ! cmp -s "$IMAGE" "$COPY.image" || { mount -o loop "$COPY.image" "$COPY"; exit; }
                        done
                        echo "the disk is written all the time" >&2
                        exit 1
                        """)
                .with("IMAGE", disk.image().toString())
                .with("COPY", copy.folder.toString())
                .within(DEADLINE)
                .run();
        return copy;
    }

    public Path folder() {
        return folder;
    }

    @Override
    public void close() {
        Program.shell("umount -l \"$COPY\"; rm -f \"$COPY.image\"")
                .with("COPY", folder.toString())
                .within(DEADLINE)
                .runToAnyEnd();
    }
}
