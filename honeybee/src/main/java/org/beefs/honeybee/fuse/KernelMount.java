package org.beefs.honeybee.fuse;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.beefs.common.linux.FileOwner;
import org.beefs.common.linux.Libc;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.protocol.Protocol;
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

    private static final int O_RDWR_CLOEXEC = 02000002;
    private static final long FUSE_DEV_IOC_CLONE = 0x8004e500L;

    private static final int MS_RDONLY = 1;
    private static final int MS_NOSUID = 2;
    private static final int MS_NODEV = 4;

    /** A new mount, and the descriptor through which it is served. */
    record Mounted(KernelMount mount, Device device) {}

    /** An unconnected descriptor. */
    static Device openDevice() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom("/dev/fuse"), O_RDWR_CLOEXEC, 0);
            if (descriptor < 0) {
                throw new MountRefusedException("cannot open /dev/fuse (" + Errno.of(-descriptor)
                        + "): is the kernel's fuse module loaded, and is this process allowed to use it?");
            }
            return new Device(descriptor);
        }
    }

    /** Further descriptors of the same mount, each with requests of its own; none on kernels that lack this. */
    static List<Device> cloneDevice(Device original, int number) throws IOException {
        List<Device> clones = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            var argument = arena.allocateFrom(JAVA_INT, original.descriptor());
            while (clones.size() < number) {
                Device clone = openDevice();
                if (Libc.ioctl(clone.descriptor(), FUSE_DEV_IOC_CLONE, argument) < 0) {
                    clone.release();
                    break;
                }
                clones.add(clone);
            }
        } catch (IOException failure) {
            clones.forEach(Device::release);
            throw failure;
        }
        return clones;
    }

    /**
     * Mounts. Root's mounts have set-uid programs and device files unless they are not wanted, and all users may enter;
     * who is not root has fusermount mount, which decides what he may. The kernel checks rights in both, because what
     * it remembers it uses without asking; the queen-bee checks again whatever reaches her.
     */
    static Mounted mount(OpenPlace place, FuseOptions options) throws IOException {
        Path point = place.path();
        Device device = openDevice();
        int result = mountAsRoot(place, device, options);
        if (result == -Errno.EPERM.number()) {
            device.release();
            requireNotRoot(point, FileOwner.ofThisProcess());
            return found(point, Fusermount.mount(point, options), false);
        }
        if (result < 0) {
            device.release();
            throw new IOException("cannot mount at " + point + ": " + Errno.of(-result));
        }
        return found(point, device, true);
    }

    /** Fails for root, whom fusermount would not help: it may do no more than he may. */
    static void requireNotRoot(Path point, int user) throws MountRefusedException {
        if (user == FileOwner.ROOT) {
            throw new MountRefusedException("cannot mount at " + point + ": this process is root but lacks"
                    + " CAP_SYS_ADMIN, which a container gets with --cap-add SYS_ADMIN");
        }
    }

    private static int mountAsRoot(OpenPlace place, Device device, FuseOptions options) {
        String data = "fd=" + device.descriptor()
                + ",rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions,max_read=" + Protocol.MAX_WRITE;
        try (Arena arena = Arena.ofConfined()) {
            return Libc.mount(
                    arena.allocateFrom("beefs"),
                    arena.allocateFrom(place.opened().toString()),
                    arena.allocateFrom("fuse.beefs"),
                    flags(options),
                    arena.allocateFrom(data));
        }
    }

    private static int flags(FuseOptions options) {
        return (options.readOnly() ? MS_RDONLY : 0) | (options.nosuid() ? MS_NOSUID | MS_NODEV : 0);
    }

    /** The mount that was made there just now, by whomever. */
    public static KernelMount at(Path point, boolean ofRoot) throws IOException {
        String device = MountInfo.read().at(point).map(MountInfo.Mount::device).orElse("");
        String number = device.substring(device.indexOf(':') + 1);
        return new KernelMount(point, device, ofRoot, AbortSwitch.of(number, ofRoot));
    }

    private static Mounted found(Path point, Device device, boolean ofRoot) throws IOException {
        try {
            return new Mounted(at(point, ofRoot), device);
        } catch (IOException | RuntimeException failure) {
            Umount.byForce(point);
            device.release();
            throw failure;
        }
    }

    /**
     * Lets the kernel read ahead so far of programs that read one byte after the other. It allows itself 128 KiB, and a
     * driver cannot ask for more in the protocol. Only root can allow more.
     */
    void setReadAhead(int bytes) {
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
    public Optional<String> limits(FuseOptions options) {
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
