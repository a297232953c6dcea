package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.beefs.common.linux.FileOwner;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.mount.Fusermount;
import org.beefs.honeybee.mount.KernelMount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.MountRefusedException;
import org.beefs.honeybee.mount.OpenPlace;
import org.beefs.honeybee.mount.Umount;

/** A mount that was made just now, and the descriptor through which it is to be served. */
record NewMount(KernelMount mount, Device device) {
    private static final int MS_RDONLY = 1;
    private static final int MS_NOSUID = 2;
    private static final int MS_NODEV = 4;

    /**
     * Mounts. Root's mounts have set-uid programs and device files unless they are not wanted, and all users may enter;
     * who is not root has fusermount mount, which decides what he may. The kernel checks rights in both, because what
     * it remembers it uses without asking; the queen-bee checks again whatever reaches her.
     */
    static NewMount at(OpenPlace place, MountOptions options) throws IOException {
        Path point = place.path();
        Device device = Device.open();
        int result = mountAsRoot(place, device, options);
        if (result == -Errno.EPERM.number()) {
            device.release();
            requireNotRoot(point, FileOwner.ofThisProcess());
            return found(point, new Device(Fusermount.mount(point, options, Protocol.MAX_WRITE)), false);
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

    private static int mountAsRoot(OpenPlace place, Device device, MountOptions options) {
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

    private static int flags(MountOptions options) {
        return (options.readOnly() ? MS_RDONLY : 0) | (options.nosuid() ? MS_NOSUID | MS_NODEV : 0);
    }

    private static NewMount found(Path point, Device device, boolean ofRoot) throws IOException {
        try {
            return new NewMount(KernelMount.at(point, ofRoot), device);
        } catch (IOException | RuntimeException failure) {
            Umount.byForce(point);
            device.release();
            throw failure;
        }
    }
}
