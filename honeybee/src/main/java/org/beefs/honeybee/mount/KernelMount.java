package org.beefs.honeybee.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount as the kernel knows it.
 *
 * @param point where it was made; it goes along when a folder above is renamed
 * @param device the number that the kernel gave its file system; others may mount at the same place later
 * @param ofRoot made by mount(2); otherwise fusermount made it, with less
 * @param abortSwitch of its connection
 */
public record KernelMount(Path point, String device, boolean ofRoot, AbortSwitch abortSwitch) implements SystemMount {
    private static final Logger LOG = LoggerFactory.getLogger(KernelMount.class);

    /** The mount that was made there just now, by whomever. */
    public static KernelMount at(Path point, boolean ofRoot) throws IOException {
        String device = MountInfo.read().at(point).map(MountInfo.Mount::device).orElse("");
        String number = device.substring(device.indexOf(':') + 1);
        return new KernelMount(point, device, ofRoot, AbortSwitch.of(number, ofRoot));
    }

    /**
     * Lets the kernel read ahead so far of programs that read one byte after the other. It allows itself 128 KiB, and a
     * driver cannot ask for more in the protocol. Only root can allow more.
     */
    public void setReadAhead(int bytes) {
        if (!ofRoot) {
            return;
        }
        Path setting = Path.of("/sys/class/bdi", device, "read_ahead_kb");
        try {
            Files.writeString(setting, String.valueOf(bytes >> 10));
        } catch (IOException readOnly) {
            LOG.info(
                    "{} stays as it is: reading large files from other desktops takes longer ({})",
                    setting,
                    readOnly.getMessage());
        }
    }

    /** What the user has to do without because he is not root; a line for him. */
    public Optional<String> limits(MountOptions options) {
        if (ofRoot) {
            return Optional.empty();
        }
        String others = options.allowOther() ? "" : ", and no other user, not even root, can look into it";
        return Optional.of(point + " is mounted without root: contents go through the daemon, which is slower,"
                + " set-user-id programs and device files do not work there" + others);
    }

    @Override
    public boolean isPresent() throws IOException {
        return !places().isEmpty();
    }

    @Override
    public int unmount() {
        return atAllPlaces(Umount::politely);
    }

    @Override
    public int unmountByForce() {
        return atAllPlaces(Umount::byForce);
    }

    /** Where it is seen now; also where somebody has bound it to (mount --bind). */
    private List<Path> places() throws IOException {
        MountInfo table = MountInfo.read();
        return table.mounts().stream()
                .filter(mount -> mount.device().equals(device) && mount.type().startsWith("fuse"))
                .filter(table::isSeen)
                .map(MountInfo.Mount::point)
                .toList();
    }

    /** Answers the last failure. */
    private int atAllPlaces(ToIntFunction<Path> unmounting) {
        try {
            return places().stream().mapToInt(unmounting).reduce(0, (failure, result) -> result < 0 ? result : failure);
        } catch (IOException unreadable) {
            return -Errno.EIO.number();
        }
    }

    @Override
    public void abort() throws IOException {
        abortSwitch.press();
    }

    @Override
    public void release() {
        abortSwitch.close();
    }
}
