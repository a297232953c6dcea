package org.beefs.honeybee.fuse;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount as the kernel knows it.
 *
 * @param point where it was mounted
 * @param device the number that the kernel gave its file system; others may mount at the same place later
 */
record KernelMount(Path point, String device) {
    private static final Logger LOG = LoggerFactory.getLogger(KernelMount.class);

    private static final int O_RDWR_CLOEXEC = 02000002;
    private static final long FUSE_DEV_IOC_CLONE = 0x8004e500L;

    private static final int MNT_FORCE = 1;
    private static final int MNT_DETACH = 2;
    private static final int UMOUNT_NOFOLLOW = 8;

    /** An unconnected descriptor. */
    static Device openDevice() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom("/dev/fuse"), O_RDWR_CLOEXEC, 0);
            if (descriptor < 0) {
                throw new IOException("cannot open /dev/fuse (" + Errno.of(-descriptor)
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
        }
        return clones;
    }

    /**
     * Mounts what the device's reader serves. Set-uid programs and device files work there, and all users may enter. The kernel
     * checks their rights, because what it remembers it uses without asking; the queen-bee checks again whatever reaches her.
     */
    static KernelMount mount(Path point, Device device) throws IOException {
        String options = "fd=" + device.descriptor()
                + ",rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions,max_read=" + Protocol.MAX_WRITE;
        try (Arena arena = Arena.ofConfined()) {
            int result = Libc.mount(
                    arena.allocateFrom("beefs"),
                    arena.allocateFrom(point.toString()),
                    arena.allocateFrom("fuse.beefs"),
                    0,
                    arena.allocateFrom(options));
            if (result == -Errno.EPERM.number()) {
                throw new IOException("cannot mount at " + point + ": mounting needs root");
            }
            if (result < 0) {
                throw new IOException("cannot mount at " + point + ": " + Errno.of(-result));
            }
        }
        KernelMount unknown = new KernelMount(point, "");
        try {
            return MountTable.read()
                    .at(point)
                    .map(mount -> new KernelMount(point, mount.device()))
                    .orElse(unknown);
        } catch (IOException | RuntimeException failure) {
            unknown.unmount(MNT_DETACH | MNT_FORCE);
            throw failure;
        }
    }

    /**
     * Lets the kernel read ahead so far of programs that read one byte after the other. It allows itself 128 KiB, and a driver
     * cannot ask for more in the protocol.
     */
    void setReadAhead(int bytes) {
        Path setting = Path.of("/sys/class/bdi", device, "read_ahead_kb");
        try {
            Files.writeString(setting, String.valueOf(bytes >> 10));
        } catch (IOException readOnly) {
            LOG.info("{} stays as it is: reading large files from other desktops takes longer ({})", setting, readOnly);
        }
    }

    /** Whether it is what is seen at its place. */
    boolean isPresent() throws IOException {
        return MountTable.read()
                .at(point)
                .filter(mount -> mount.device().equals(device))
                .isPresent();
    }

    /** Unmounts it if nobody uses it, and waits until its pages are written. Answers 0 or a negative errno. */
    int unmount() {
        return unmount(UMOUNT_NOFOLLOW);
    }

    /** Takes it away from those who use it: what they have open fails from now on. */
    int unmountByForce() {
        return unmount(MNT_FORCE | MNT_DETACH | UMOUNT_NOFOLLOW);
    }

    /**
     * Ends the kernel's connection to this process. For a mount that is not at its place any more and still in use, so that
     * it cannot be unmounted. The control file system is mounted aside for the moment: not every machine has it.
     */
    void abort() throws IOException {
        Path control = Files.createTempDirectory("beefs-fusectl");
        try (Arena arena = Arena.ofConfined()) {
            var place = arena.allocateFrom(control.toString());
            var type = arena.allocateFrom("fusectl");
            int result = Libc.mount(type, place, type, 0, arena.allocateFrom(""));
            if (result < 0) {
                throw new IOException("the control file system of FUSE cannot be mounted: " + Errno.of(-result));
            }
            try {
                Path connection = control.resolve(device.substring(device.indexOf(':') + 1));
                if (Files.exists(connection)) {
                    Files.writeString(connection.resolve("abort"), "1");
                }
            } finally {
                Libc.umount2(place, MNT_DETACH);
            }
        } finally {
            Files.delete(control);
        }
    }

    private int unmount(int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.umount2(arena.allocateFrom(point.toString()), flags);
        }
    }
}
