package org.beefs.queenbee.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.beefs.common.file.Draft;

/**
 * The folder of a queen-bee's state: the database and a marker, written when the first change is on disk, which says
 * that there is a hive. With a marker a missing database is a loss, never an empty hive.
 */
final class StateFolder {
    /** Layout of the folder; a change that an older program misreads raises it. */
    private static final int FORMAT = 1;

    private static final String PREFIX = "BeeFS queen-bee state, format ";
    private static final String MARKER = "FORMAT";
    private static final String DATABASE = "state";

    /** A file that is there while a recovery fills the database. */
    private static final String RECOVERING = "RECOVERING";

    /** A file that is there after a recovery, until the queen-bee is started without one. */
    private static final String RECOVERED = "RECOVERED";

    /** A file that says how far the database was synced: see {@link SyncedMark}. */
    private static final String SYNCED = "SYNCED";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path folder;

    StateFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Checks, before anything is touched, that there is a state which this program understands, or nothing at all.
     * Afterwards no other user may read the folder.
     */
    void check() throws IOException {
        Files.createDirectories(folder);
        if (hasMarker()) {
            checkFormat();
            if (!Files.isDirectory(database())) {
                throw new StateException(
                        "%s belongs to a hive, but its state is missing; %s".formatted(folder, StateException.RESTORE));
            }
        } else if (isPresent()) {
            throw new StateException(
                    "in %s a recovery has begun and not ended; run it again: it begins anew".formatted(folder));
        } else if (!isUnused()) {
            throw new StateException(
                    "%s is not empty and holds no state of a queen-bee; name an empty folder for a new hive"
                            .formatted(folder));
        }
        keepFromOthers();
    }

    /**
     * Lets nobody else look into the folder, because names and attributes of all files are in the state. A honeycomb
     * does the same with its folder.
     */
    private void keepFromOthers() throws IOException {
        if (!Files.getPosixFilePermissions(folder).equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
        }
    }

    /**
     * Empties the folder of what a recovery has begun, and says that one has begun. Fails unless there was nothing
     * else.
     */
    void beginRecovery() throws IOException {
        Files.createDirectories(folder);
        if (hasMarker()) {
            throw new StateException(
                    "%s holds a state already; move it away, a recovery needs an empty folder".formatted(folder));
        }
        Path begun = folder.resolve(RECOVERING);
        if (Files.exists(begun)) {
            Files.deleteIfExists(synced());
            deleteIn(database());
        } else if (!isUnused() || Files.exists(database())) {
            throw new StateException("%s is not empty; a recovery needs an empty folder".formatted(folder));
        } else {
            Files.createFile(begun); // empty: no interim incarnation
        }
        keepFromOthers();
    }

    /**
     * The highest incarnation of which numbers were issued while the recovery was going on, by a queen-bee whose state
     * is thrown away; 0 for none.
     */
    long interimIncarnation() throws IOException {
        String number = Files.readString(folder.resolve(RECOVERING), StandardCharsets.UTF_8);
        return number.isEmpty() ? 0 : Long.parseLong(number);
    }

    /** Says, on disk, that numbers of this incarnation may be issued from now on, and thrown away. */
    void setInterimIncarnation(long incarnation) throws IOException {
        replace(folder.resolve(RECOVERING), Long.toString(incarnation));
    }

    /** Removes what a queen-bee has made here whose state is to be thrown away. */
    void discard() throws IOException {
        deleteIn(database());
        deleteIn(folder);
        Files.deleteIfExists(folder);
    }

    private static void deleteIn(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Whether a recovery has made what is here, and has ended, and nobody has forgotten it since. */
    boolean isRecovered() {
        return hasMarker() && (Files.exists(folder.resolve(RECOVERED)) || Files.exists(folder.resolve(RECOVERING)));
    }

    /** Says of what a recovery has made that it is a state like any other. */
    void forgetRecovery() throws IOException {
        if (isRecovered()) {
            Files.deleteIfExists(folder.resolve(RECOVERING));
            Files.deleteIfExists(folder.resolve(RECOVERED));
            Draft.syncFolder(folder);
        }
    }

    /** Whether there is a state, or what a recovery has begun. */
    boolean isPresent() {
        return hasMarker() || Files.exists(folder.resolve(RECOVERING));
    }

    Path database() {
        return folder.resolve(DATABASE);
    }

    Path synced() {
        return folder.resolve(SYNCED);
    }

    boolean hasMarker() {
        return Files.exists(folder.resolve(MARKER));
    }

    /** The user as whom the database was made. */
    StateStore.Owner owner() throws IOException {
        return new StateStore.Owner(
                (int) Files.getAttribute(database(), "unix:uid"), (int) Files.getAttribute(database(), "unix:gid"));
    }

    /** Says from now on that there is a hive. */
    void mark() throws IOException {
        replace(folder.resolve(MARKER), PREFIX + FORMAT + "\n");
        if (Files.exists(folder.resolve(RECOVERING))) {
            Files.move(folder.resolve(RECOVERING), folder.resolve(RECOVERED), StandardCopyOption.ATOMIC_MOVE);
        }
        Draft.syncFolder(folder);
    }

    /** Has older programs leave alone what this one is about to write. The database is open, so nobody else has it. */
    void raiseFormat() throws IOException {
        if (format() < FORMAT) {
            replace(folder.resolve(MARKER), PREFIX + FORMAT + "\n");
        }
    }

    private static void replace(Path file, String content) throws IOException {
        Draft.replace(file, content.getBytes(StandardCharsets.UTF_8));
    }

    private void checkFormat() throws IOException {
        int format = format();
        if (format > FORMAT) {
            throw new StateException(
                    "%s has format %d, and this program knows formats up to %d: install the newer BeeFS"
                            .formatted(folder, format, FORMAT));
        }
    }

    private int format() throws IOException {
        String marker =
                Files.readString(folder.resolve(MARKER), StandardCharsets.UTF_8).strip();
        if (!marker.matches(PREFIX + "\\d{1,9}")) {
            throw new StateException("%s/%s is damaged; %s".formatted(folder, MARKER, StateException.RESTORE));
        }
        return Integer.parseInt(marker.substring(PREFIX.length()));
    }

    /**
     * Whether there is no hive: the folder is empty, or holds only what a first start left that ended before its first
     * change was on disk.
     */
    private boolean isUnused() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .allMatch(
                            name -> name.equals(DATABASE) || name.equals(SYNCED) || name.equals(MARKER + Draft.SUFFIX));
        }
    }
}
