package org.beefs.honeybee.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.FuseMount;
import org.beefs.honeybee.jnr.JnrMount;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.MountRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mounts through the driver that was asked for, or through the one that works. Thread-safe. */
public final class Drivers {
    private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);

    private final Mounter nativeDriver;
    private final Mounter jnr;

    /** One driver. */
    interface Mounter {
        /** Fails with a sentence for the user. */
        Mount mount(Path target, FileSystem fileSystem, MountOptions options) throws IOException;
    }

    Drivers(Mounter nativeDriver, Mounter jnr) {
        this.nativeDriver = nativeDriver;
        this.jnr = jnr;
    }

    /** The drivers of this program. */
    public static Drivers of(Timers timers) {
        return new Drivers(
                (target, fileSystem, options) -> {
                    if (!Files.exists(Path.of("/proc/self/mountinfo"))) {
                        throw new IOException("the native driver works on Linux only");
                    }
                    return FuseMount.mount(target, fileSystem, options, timers);
                },
                JnrMount::mount);
    }

    /**
     * Mounts at an empty directory; clears what a dead daemon left mounted there. Answers when requests are being
     * served. The place is to be prepared before ({@link org.beefs.honeybee.mount.MountPoint#prepare}): where nothing
     * can be mounted each driver would fail, and the sentence would tell of both.
     *
     * @throws IOException with a sentence for the user
     */
    public Mount mount(Path target, FileSystem fileSystem, MountOptions options) throws IOException {
        return switch (options.driver()) {
            case NATIVE, RINGS -> nativeDriver.mount(target, fileSystem, options);
            case JNR -> jnr.mount(target, fileSystem, options);
            case AUTOMATIC -> mountSomehow(target, fileSystem, options);
        };
    }

    /**
     * Mounts through the native driver, or else through the other one. What is refused to the former is refused to the
     * latter too, and is said once.
     */
    private Mount mountSomehow(Path target, FileSystem fileSystem, MountOptions options) throws IOException {
        try {
            return nativeDriver.mount(target, fileSystem, options);
        } catch (MountRefusedException refusal) {
            throw refusal;
        } catch (IOException failure) {
            Mount mount = mountInstead(failure, target, fileSystem, options);
            LOG.warn("{} is mounted through the jnr driver, because: {}", mount.target(), failure.getMessage());
            return mount;
        }
    }

    private Mount mountInstead(IOException reason, Path target, FileSystem fileSystem, MountOptions options)
            throws IOException {
        try {
            return jnr.mount(target, fileSystem, options);
        } catch (IOException failure) {
            throw new IOException(
                    reason.getMessage() + "; and the jnr driver does not mount it either: " + failure.getMessage(),
                    reason);
        }
    }
}
