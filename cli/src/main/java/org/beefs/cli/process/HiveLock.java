package org.beefs.cli.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.Reasons;
import org.jspecify.annotations.Nullable;

/** Lets one command at a time change which processes of a hive run on this machine. */
public final class HiveLock implements AutoCloseable {
    /** Longer than commands hold it, but for a recovery, which may take an hour: who comes meanwhile is told. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** What the C library says for EROFS, whatever the locale (the launcher sets it). */
    private static final String READ_ONLY = "Read-only file system";

    private final FileChannel channel;

    private HiveLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Makes the state folder if needed and waits for its lock. */
    public static HiveLock take(HiveFolder hive) {
        try {
            return open(hive);
        } catch (IOException e) {
            throw unusable(hive, e);
        }
    }

    /**
     * As {@link #take}, for who only ends processes: that must be possible also when the disk has become read-only.
     * Null then.
     */
    public static @Nullable HiveLock takeToStop(HiveFolder hive) {
        try {
            return open(hive);
        } catch (IOException e) {
            if (Reasons.of(e).equals(READ_ONLY)) {
                return null;
            }
            throw unusable(hive, e);
        }
    }

    private static HiveLock open(HiveFolder hive) throws IOException {
        Path file = hive.path().resolve("lock");
        Files.createDirectories(hive.path());
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        closeToOthers(file);
        if (!Await.until(PATIENCE, () -> locks(channel))) {
            channel.close();
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "another command has been busy with %s for %d min; a recovery may take an hour: wait for it, or end it"
                            .formatted(hive.path(), PATIENCE.toMinutes()));
        }
        return new HiveLock(channel);
    }

    private static CommandFailure unusable(HiveFolder hive, IOException e) {
        return new CommandFailure(
                ExitCode.FOLDER, "cannot use the state folder " + hive.path() + ": " + Reasons.ofMaking(e));
    }

    /** Who may read it may also lock it. It may have been made by hand, or by an earlier version. */
    private static void closeToOthers(Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!view.readAttributes().permissions().equals(OWNER_ONLY)) {
            view.setPermissions(OWNER_ONLY);
        }
    }

    private static boolean locks(FileChannel channel) {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot lock the state folder: " + Reasons.of(e));
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
