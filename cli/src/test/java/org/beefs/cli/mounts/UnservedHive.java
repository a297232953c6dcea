package org.beefs.cli.mounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.linux.Libc;
import org.beefs.honeybee.mount.Umount;

/** A mount of a hive that nobody has agreed to serve: whoever asks it waits, until its daemon ends. */
public final class UnservedHive implements AutoCloseable {
    private static final int O_RDWR = 2;
    private static final int O_PATH = 010000000;

    private final Path place;

    /** Serves the mount as long as it is open; 0 after that. */
    private int device;

    /** Open at the mount; 0 when nobody uses it. */
    private int user;

    private UnservedHive(Path place, int device) {
        this.place = place;
        this.device = device;
    }

    /** Skips the test where there can be no such mount. */
    public static void assumePossible() {
        assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/fuse")),
                "only root mounts without a daemon that agrees");
    }

    public static UnservedHive mount(Path place) {
        try (Arena arena = Arena.ofConfined()) {
            int device = Libc.open(arena.allocateFrom("/dev/fuse"), O_RDWR, 0);
            assertThat(device).isPositive();
            int result = Libc.mount(
                    arena.allocateFrom("beefs"),
                    arena.allocateFrom(place.toString()),
                    arena.allocateFrom(MountTable.HIVE_TYPE),
                    0,
                    arena.allocateFrom("fd=" + device + ",rootmode=40000,user_id=0,group_id=0,allow_other"));
            assertThat(result).isZero();
            return new UnservedHive(place, device);
        }
    }

    /** As a program does that has something open there. */
    public void use() {
        try (Arena arena = Arena.ofConfined()) {
            user = Libc.open(arena.allocateFrom(place.toString()), O_PATH, 0);
            assertThat(user).isPositive();
        }
    }

    /** As the kernel does when a daemon dies. */
    public void end() {
        if (device > 0) {
            Libc.close(device);
            device = 0;
        }
    }

    /** Whether it, or another one, is what is seen at its place. */
    public boolean isSeen() {
        return MountTable.read().isHive(place);
    }

    /** Takes away all hives that lie at its place. */
    @Override
    public void close() {
        if (user > 0) {
            Libc.close(user);
            user = 0;
        }
        while (isSeen()) {
            Umount.byForce(place);
        }
        end();
    }
}
