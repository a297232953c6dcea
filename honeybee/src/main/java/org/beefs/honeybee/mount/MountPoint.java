package org.beefs.honeybee.mount;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.posix.Errno;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory that a hive is to be mounted at: found, checked, and freed of what a dead daemon left there. */
public final class MountPoint {
    private static final Logger LOG = LoggerFactory.getLogger(MountPoint.class);

    /** Dead mounts that may lie on one another at one place. */
    private static final int MAX_LEFTOVERS = 64;

    private MountPoint() {}

    /**
     * Clears what a dead daemon left mounted there, and fails with a sentence for the user if the directory cannot be
     * mounted at. Answers its absolute path.
     *
     * @param target without symbolic links
     */
    public static Path prepare(Path target) throws IOException {
        try (OpenPlace place = open(target)) {
            return place.path();
        }
    }

    /** As {@link #prepare}; holds the directory open. */
    public static OpenPlace open(Path target) throws IOException {
        Path point = target.toAbsolutePath().normalize();
        clearLeftovers(point);
        OpenPlace place = OpenPlace.open(point);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(place.opened())) {
            if (!entries.iterator().hasNext()) {
                return place;
            }
        } catch (IOException | RuntimeException failure) {
            place.close();
            throw failure;
        }
        place.close();
        throw new IOException("cannot mount at " + target + ": it is not empty, and a mount would hide its files");
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
            throw new IOException("cannot mount at " + point
                    + ": what is mounted there does not answer; unmount it with umount -f -l");
        }
        return daemon == MountProbe.Daemon.ENDED;
    }
}
