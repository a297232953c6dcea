package org.beefs.honeycomb.catalog;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.beefs.common.file.NewerTables;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.Errno;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Decides what becomes of a catalog that RocksDB does not open. Only what is damaged for certain gives way to a new
 * one: a disk that is full, files that cannot be opened now, or another process that has them, are not the catalog's
 * fault, and it may hold the only copy of the namespace.
 */
@ProductionOnly
final class UnopenedCatalog {
    /**
     * RocksDB writes some files when it opens its database. With less free space than this, the lack of it is what is
     * wrong.
     */
    private static final long NEEDED = 1 << 20;

    /** A file beside RocksDB's. */
    private static final String NOTE = "damaged";

    private static final String MADE_ANEW =
            "the list of replicas is made anew from their files. What it knows of names the queen-bee tells again; keep the"
                    + " folder while she is lost, as nobody else may know that";

    private UnopenedCatalog() {}

    /** Whether it will never be opened, however often that is tried. */
    static boolean isDamaged(Path folder, RocksDBException failure) {
        return saysThatItIsDamaged(failure) || lacksManifest(folder);
    }

    /** Whether a failure says that the catalog's files contradict themselves. */
    static boolean saysThatItIsDamaged(RocksDBException failure) {
        Status status = failure.getStatus();
        boolean corrupt = status != null && status.getCode() == Status.Code.Corruption;
        return corrupt && !seemsNewer(failure);
    }

    /** Notes that the catalog, which is open, was found to be damaged: the next start makes it anew. */
    static void noteDamage(Path folder) throws IOException {
        Files.write(folder.resolve(NOTE), new byte[0]);
    }

    /** Whether {@link #noteDamage} was done. */
    static boolean isNoted(Path folder) {
        return Files.exists(folder.resolve(NOTE));
    }

    private static boolean seemsNewer(RocksDBException failure) {
        return NewerTables.areMeant(failure.getMessage());
    }

    /**
     * Whether the manifest is missing. RocksDB tells of this as of any file that cannot be opened; a missing table it
     * calls a corruption.
     */
    private static boolean lacksManifest(Path folder) {
        try {
            String manifest = Files.readString(folder.resolve("CURRENT")).strip();
            return !manifest.isEmpty() && Files.notExists(folder.resolve(manifest));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Moves a damaged catalog beside its place, so that what is left in it can be salvaged; moving takes no space. A
     * catalog that was moved there before is deleted, so that there is only one.
     *
     * @return where it is now
     */
    static Path moveAside(Path folder) throws IOException {
        Path aside = folder.resolveSibling(folder.getFileName() + ".damaged");
        deleteTree(aside);
        Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(aside.resolve(NOTE)); // when it is repaired and put back it is damaged no more
        return aside;
    }

    /** The failure of a start, with a sentence for people that says why. */
    static IOException failure(Path folder, RocksDBException cause) {
        return new IOException(
                "the catalog in %s cannot be opened, %s (%s)"
                        .formatted(folder, advice(folder, cause), cause.getMessage()),
                cause);
    }

    private static String advice(Path folder, RocksDBException cause) {
        if (saysThatItIsFull(cause) && Inodes.areScarceBeside(folder)) {
            return "because its disk has no inodes left; remove some files there, and start again";
        }
        if (seemsNewer(cause)) {
            return "because a newer version of BeeFS seems to have written it; start that one. If there was none, move this"
                    + " folder away: " + MADE_ANEW;
        }
        return isFull(folder, cause)
                ? "because its disk is full; free some space there, and start again"
                : "and is left as it is; put right what is wrong, and start again. If that is impossible, move this folder away: "
                        + MADE_ANEW;
    }

    /** Whether a failure says that the disk is full. */
    static boolean saysThatItIsFull(RocksDBException failure) {
        Status status = failure.getStatus();
        return status != null && status.getSubCode() == Status.SubCode.NoSpace;
    }

    /** What a failure of the database is to its user. RocksDB has no code for a used-up quota. */
    static Errno errno(RocksDBException failure) {
        if (saysThatItIsFull(failure)) {
            return Errno.ENOSPC;
        }
        String told = Objects.requireNonNullElse(failure.getMessage(), "");
        return told.contains("Disk quota exceeded") ? Errno.EDQUOT : Errno.EIO;
    }

    private static boolean isFull(Path folder, RocksDBException cause) {
        if (saysThatItIsFull(cause)) {
            return true;
        }
        try {
            return Files.getFileStore(folder).getUsableSpace() < NEEDED;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                        throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException absent) {
            // there is none
        }
    }
}
