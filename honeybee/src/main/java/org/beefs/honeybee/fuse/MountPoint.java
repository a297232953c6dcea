package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory that a hive is to be mounted at: found, checked, and freed of what a dead daemon left there. */
public final class MountPoint {
    private static final Logger LOG = LoggerFactory.getLogger(MountPoint.class);

    private static final int MAX_LINKS = 40;

    /** Dead mounts that may lie on one another at one place. */
    private static final int MAX_LEFTOVERS = 64;

    private MountPoint() {}

    /** The directory's path without symbolic links. Fails with a sentence for the user if it cannot be mounted at. */
    public static Path prepare(Path target) throws IOException {
        Path point = resolve(target.toAbsolutePath().normalize());
        clearLeftovers(point);
        if (!Files.exists(point, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("cannot mount at " + target + ": there is no such directory; create it first");
        }
        if (!Files.isDirectory(point, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("cannot mount at " + target + ": it is not a directory");
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(point)) {
            if (entries.iterator().hasNext()) {
                throw new IOException(
                        "cannot mount at " + target + ": it is not empty, and a mount would hide its files");
            }
        }
        return point;
    }

    /** Follows symbolic links without touching what is mounted at the end: a dead mount fails every call. */
    private static Path resolve(Path target) throws IOException {
        Path path = target;
        for (int links = 0; links < MAX_LINKS; links++) {
            Path parent = path.getParent();
            Path name = path.getFileName();
            if (parent == null || name == null) {
                throw new IOException("cannot mount at " + target);
            }
            Path point = parent.toRealPath().resolve(name);
            if (MountInfo.read().at(point).isPresent() || !Files.isSymbolicLink(point)) {
                return point;
            }
            path = point.resolveSibling(Files.readSymbolicLink(point)).normalize();
        }
        throw new IOException("cannot mount at " + target + ": too many symbolic links");
    }

    private static void clearLeftovers(Path point) throws IOException {
        for (int i = 0; i < MAX_LEFTOVERS; i++) {
            Optional<MountInfo.Mount> mount = MountInfo.read().at(point);
            if (mount.isEmpty()) {
                return;
            }
            if (!mount.get().type().startsWith("fuse") || !isDead(point)) {
                throw new IOException("cannot mount at " + point + ": something of type "
                        + mount.get().type() + " is mounted there already");
            }
            LOG.info("clearing the mount that a dead daemon left at {}", point);
            int result = Umount.byForce(point);
            if (result < 0) {
                throw new IOException("cannot mount at " + point
                        + ": what a dead daemon left there cannot be unmounted: " + Errno.of(-result));
            }
        }
        throw new IOException("cannot mount at " + point + ": too many dead mounts lie there");
    }

    private static boolean isDead(Path point) throws IOException {
        MountProbe.Daemon daemon = MountProbe.ask(point);
        if (daemon == MountProbe.Daemon.SILENT) {
            throw new IOException(
                    "cannot mount at " + point + ": what is mounted there does not answer; unmount it with umount -l");
        }
        return daemon == MountProbe.Daemon.ENDED;
    }
}
