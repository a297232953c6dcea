package org.beefs.integration.faults;

import java.nio.file.Path;
import java.time.Duration;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;

/**
 * An ext4 file system of its own, in a file, to which a test may do what happens to disks. Its file lies in memory, of
 * which there is less than the file system believes to have: what does not fit any more fails as on a broken disk. For
 * one thread.
 */
public final class SmallDisk implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final Path memory;
    private final Path folder;

    private SmallDisk(Path base) {
        this.memory = base.resolve("memory");
        this.folder = base.resolve("disk");
    }

    /**
     * Makes it, and mounts it below a folder; skips the test loudly where that is not possible.
     *
     * @param real sizes as truncate(1) takes them
     */
    public static SmallDisk create(Path base, String size, String real) {
        SmallDisk disk = new SmallDisk(base);
        Result made = Program.shell("""
                        mkdir -p "$MEMORY" "$DISK"
                        mount -t tmpfs -o "size=$REAL" tmpfs "$MEMORY"
                        truncate -s "$SIZE" "$MEMORY/image"
                        mkfs.ext4 -q -m 0 -J size=4 -E lazy_itable_init=1,lazy_journal_init=1,packed_meta_blocks=1,nodiscard "$MEMORY/image"
                        mount -o loop,errors=remount-ro "$MEMORY/image" "$DISK"
                        """)
                .with("MEMORY", disk.memory.toString())
                .with("DISK", disk.folder.toString())
                .with("SIZE", size)
                .with("REAL", real)
                .within(DEADLINE)
                .runToAnyEnd();
        if (!made.succeeded()) {
            disk.close();
            throw Requirements.skip("no file system can be made in a file here: " + made);
        }
        return disk;
    }

    public Path folder() {
        return folder;
    }

    /** The file with all that is on it. */
    public Path image() {
        return memory.resolve("image");
    }

    /** Writes out what the kernel has not yet: from then on it looks at each page once more before that is changed. */
    public void sync() {
        onDisk("sync -f \"$DISK\"");
    }

    /** Takes all room that there is. Answers the file that has nearly all of it. */
    public Path fill() {
        onDisk("""
                dd if=/dev/zero of="$DISK/all" bs=64k status=none ||
                dd if=/dev/zero of="$DISK/rest" bs=1k status=none ||
                sync -f "$DISK"
                """);
        return folder.resolve("all");
    }

    /** Makes files until there can be no more: bytes are left. */
    public void useUpInodes() {
        onDisk("""
                mkdir "$DISK/many"
                cd "$DISK/many"
                seq 100000 | xargs touch 2>/dev/null || true
                """);
    }

    /** As ext4 does when it finds an error on the disk: whoever uses it can only read from now on. */
    public void makeReadOnly() {
        onDisk("echo 1 > \"/sys/fs/ext4/$(basename \"$(findmnt -no SOURCE \"$DISK\")\")/trigger_fs_error\"");
    }

    /** Makes it writable again; nobody may use it. */
    public void repair() {
        onDisk(
                "umount \"$DISK\"; e2fsck -fp \"$IMAGE\" || test $? -le 1; mount -o loop,errors=remount-ro \"$IMAGE\" \"$DISK\"");
    }

    /**
     * Reading the last bytes of the largest file below a folder fails, as from bad blocks, until something is written
     * behind them, where neither the journal nor any table of the file system lies. What else lies there can be read as
     * long as the kernel remembers it. The file is some pages long.
     *
     * @param below within {@link #folder}
     */
    public void loseEndOfLargestFile(String below) {
        onDisk("""
                FILE=$(find "$DISK/%s" -type f -printf '%%s %%p\\n' | sort -n | tail -1 | cut -d' ' -f2-)
                LAST=$(filefrag -b4096 -v "$FILE" | awk '$1 ~ /^[0-9]+:$/ { gsub(/[.:]/, " "); last = $5 } END { print last }')
                sync -f "$DISK"
                truncate -s $((LAST * 4096)) "$IMAGE"
                dd if="$FILE" iflag=nocache count=0 status=none
                if dd if="$FILE" iflag=direct bs=4096 skip=$(($(stat -c %%s "$FILE") / 4096 - 1)) of=/dev/null; then
                  echo "$FILE still has its end" >&2
                  exit 1
                fi
                """.formatted(below));
    }

    private void onDisk(String script) {
        Program.shell(script)
                .with("DISK", folder.toString())
                .with("IMAGE", image().toString())
                .within(DEADLINE)
                .run();
    }

    @Override
    public void close() {
        Program.of("/bin/sh", "-c", "umount -l \"$DISK\"; umount -l \"$MEMORY\"; true")
                .with("DISK", folder.toString())
                .with("MEMORY", memory.toString())
                .within(DEADLINE)
                .runToAnyEnd();
    }
}
