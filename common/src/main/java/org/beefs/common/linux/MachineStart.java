package org.beefs.common.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Says whether what was not synced to a folder may be gone: the machine was started since, or the folder's file system
 * was mounted anew.
 */
public final class MachineStart {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private MachineStart() {}

    /**
     * A text that is another one for each start and mounting; only for each start where the kernel does not tell of
     * mountings, and for each call where it tells nothing.
     */
    public static String of(Path folder, RandomGenerator random) {
        try {
            String boot = Files.readString(BOOT).strip();
            OptionalLong mounting = new DiskMounting().of(folder);
            return mounting.isPresent() ? boot + ' ' + mounting.getAsLong() : boot;
        } catch (IOException unknown) {
            return "unknown " + random.nextLong();
        }
    }

    /** Whether two texts are of one start and mounting; where one says nothing of mountings, that is not known. */
    public static boolean isSame(String one, String other) {
        return one.equals(other) || one.startsWith(other + ' ') || other.startsWith(one + ' ');
    }
}
