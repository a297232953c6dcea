package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.beefs.common.file.Draft;
import org.beefs.common.linux.FileOwner;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.state.Identity;

/** Tells a honeycomb's folder from one that somebody uses for something else. Changes nothing there. */
@ProductionOnly
final class FolderCheck {
    static final String IDENTITY = "honeycomb.json";

    /** The lock file, which a start makes before all else. */
    static final String LOCK = "lock";

    /** Names of what starts may have made that did not get as far as the identity. */
    private static final Set<String> OF_STARTS = Set.of(
            LOCK,
            "replicas",
            "incoming",
            "lost",
            "fenced",
            "catalog",
            "catalog.damaged",
            "decided",
            "probe",
            "probe.2",
            "spare",
            IDENTITY,
            IDENTITY + Draft.SUFFIX);

    /** The folder that a file system makes in its uppermost one. */
    private static final String LOST_AND_FOUND = "lost+found";

    private FolderCheck() {}

    /** Refuses folders of somebody else, and of newer programs; what {@link IOException} says is for people. */
    static void check(Path folder) throws IOException {
        requireOwn(folder);
        requireClosed(folder);
        for (String name : OF_STARTS) {
            requireOwnPart(folder.resolve(name));
        }
        Path identity = folder.resolve(IDENTITY);
        if (Files.exists(identity, LinkOption.NOFOLLOW_LINKS)) {
            Identity.decode(Files.readAllBytes(identity));
            return;
        }
        Set<String> names = namesIn(folder);
        if (isOfUnfinishedStart(folder)) {
            names.removeAll(OF_STARTS);
        }
        if (names.contains(LOCK) && OF_STARTS.containsAll(names) && hasReplicas(folder)) {
            throw new IOException(
                    "its %s is missing, without which nobody knows whose files these are; put it back, or use an empty folder"
                            .formatted(IDENTITY));
        }
        if (!names.isEmpty()) {
            throw new IOException("it holds something else (%s); use an empty folder, or one that is not there yet"
                    .formatted(names.iterator().next()));
        }
    }

    /** Its owner can put links there that lead this process to files of others. */
    private static void requireOwn(Path folder) throws IOException {
        if (!FileOwner.isOwnOrRoots(folder)) {
            throw new IOException("it belongs to another user (%d); use one of the user that runs the daemon"
                    .formatted(FileOwner.of(folder)));
        }
    }

    /** Others may have laid out whatever is in a folder that they may write, an identity too. */
    private static void requireClosed(Path folder) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder);
        boolean othersWrite =
                mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE);
        if (othersWrite && !namesIn(folder).isEmpty()) {
            throw new IOException(
                    "others may have put there what is in it; if it is yours, take their right away with  chmod go-w %s"
                            .formatted(folder));
        }
    }

    /** Fails for what may lead to, or be, something of others. */
    private static void requireOwnPart(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw new IOException("%s in it is a symbolic link".formatted(path.getFileName()));
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !FileOwner.isOwnOrRoots(path)) {
            throw new IOException("%s in it belongs to another user".formatted(path.getFileName()));
        }
    }

    private static Set<String> namesIn(Path folder) throws IOException {
        Set<String> names = new TreeSet<>(LinuxFolder.names(folder));
        names.remove(LOST_AND_FOUND);
        return names;
    }

    /** Whether a start has left the folder so that ended before it had written the identity: it has no replicas yet. */
    private static boolean isOfUnfinishedStart(Path folder) throws IOException {
        Path lock = folder.resolve(LOCK);
        Path incoming = folder.resolve("incoming");
        boolean isLocked = Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS) && Files.size(lock) == 0;
        boolean hasCome = Files.exists(incoming, LinkOption.NOFOLLOW_LINKS)
                && !LinuxFolder.names(incoming).isEmpty();
        return isLocked && !hasCome && !hasReplicas(folder);
    }

    /** Whether files are where replicas would be, be they in use, held by programs, or put aside. */
    private static boolean hasReplicas(Path folder) throws IOException {
        return hasFile(folder.resolve("replicas"))
                || hasFile(folder.resolve("fenced"))
                || hasFile(folder.resolve("lost"));
    }

    private static boolean hasFile(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.anyMatch(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
