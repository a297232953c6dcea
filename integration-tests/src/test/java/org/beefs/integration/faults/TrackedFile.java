package org.beefs.integration.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.jspecify.annotations.Nullable;

/**
 * One file's life in small steps, each acknowledged when its call has returned. Afterwards the file must be in the
 * state of its last acknowledged step; where the call of the next one failed, that one may have happened or not. For
 * one thread at a time.
 */
final class TrackedFile {
    /** In the order in which they are done. */
    private enum Step {
        CREATE,
        WRITE,
        SYNC,
        CHANGE_MODE,
        SET_TIMES,
        SET_ATTRIBUTE,
        RENAME,
        REMOVE
    }

    private static final int LARGEST = 40_000;
    private static final String ATTRIBUTE = "user.step";

    private final String firstName;
    private final String lastName;
    private final byte[] bytes;
    private final int mode;
    private final Instant modified;
    private final boolean removed;

    /** The last step that was tried; null before the first. */
    private @Nullable Step begun;

    /** The last step whose call returned; the one after it failed if it was begun. */
    private @Nullable Step acknowledged;

    TrackedFile(int number, RandomGenerator random) {
        firstName = "new-" + number;
        lastName = "file-" + number;
        bytes = new byte[random.nextInt(LARGEST)];
        random.nextBytes(bytes);
        mode = 0600 | random.nextInt(0100);
        modified = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        removed = random.nextInt(3) == 0;
    }

    /**
     * Lives the whole life; tells each acknowledgement. Throws what the file system throws, and remembers how far it
     * got.
     */
    void live(Path folder, Runnable onAcknowledgement) {
        Path path = folder.resolve(firstName);
        begun = Step.CREATE;
        int fd = Posix.open(path, Posix.O_CREAT | Posix.O_EXCL | Posix.O_RDWR, 0600);
        try {
            perform(Step.CREATE, () -> {}, onAcknowledgement);
            perform(Step.WRITE, () -> Posix.pwrite(fd, 0, bytes), onAcknowledgement);
            perform(Step.SYNC, () -> Posix.fsync(fd), onAcknowledgement);
        } finally {
            closeWhateverHappened(fd);
        }
        perform(Step.CHANGE_MODE, () -> Posix.chmod(path, mode), onAcknowledgement);
        perform(Step.SET_TIMES, () -> Posix.utimens(path, modified, modified), onAcknowledgement);
        perform(Step.SET_ATTRIBUTE, () -> Xattrs.set(path, ATTRIBUTE, new byte[] {1}), onAcknowledgement);
        perform(Step.RENAME, () -> Posix.rename(path, folder.resolve(lastName)), onAcknowledgement);
        if (removed) {
            perform(Step.REMOVE, () -> Posix.unlink(folder.resolve(lastName)), onAcknowledgement);
        }
    }

    /** Fails when something acknowledged is not there. */
    void verify(Path folder) {
        boolean first = exists(folder.resolve(firstName));
        boolean last = exists(folder.resolve(lastName));
        if (isDone(Step.REMOVE) || !mayBeDone(Step.CREATE)) {
            assertThat(first || last).as("%s is gone", this).isFalse();
            return;
        }
        if (!first && !last) {
            boolean allowed = !isDone(Step.CREATE) || (removed && mayBeDone(Step.REMOVE));
            assertThat(allowed).as("%s is there", this).isTrue();
            return;
        }
        assertThat(first && last).as("%s has one name", this).isFalse();
        if (isDone(Step.RENAME)) {
            assertThat(last).as("%s was renamed", this).isTrue();
        }
        if (!mayBeDone(Step.RENAME)) {
            assertThat(first).as("%s was not renamed", this).isTrue();
        }
        verifyContent(folder.resolve(first ? firstName : lastName));
    }

    @Override
    public String toString() {
        return "file %s/%s (begun: %s, acknowledged: %s)".formatted(firstName, lastName, begun, acknowledged);
    }

    private void verifyContent(Path path) {
        FileStatus status = Posix.stat(path);
        if (isDone(Step.SYNC)) {
            assertThat(status.size()).as("size of %s", this).isEqualTo(bytes.length);
            assertThat(read(path)).as("bytes of %s", this).isEqualTo(bytes);
        }
        if (isDone(Step.CHANGE_MODE)) {
            assertThat(status.permissions()).as("mode of %s", this).isEqualTo(mode);
        }
        if (isDone(Step.SET_TIMES)) {
            assertThat(status.modified()).as("mtime of %s", this).isEqualTo(modified);
        }
        if (isDone(Step.SET_ATTRIBUTE)) {
            assertThat(Xattrs.get(path, ATTRIBUTE)).as("xattr of %s", this).isEqualTo(new byte[] {1});
        }
    }

    private boolean isDone(Step step) {
        return acknowledged != null && acknowledged.compareTo(step) >= 0;
    }

    private boolean mayBeDone(Step step) {
        return begun != null && begun.compareTo(step) >= 0;
    }

    private void perform(Step step, Runnable action, Runnable listener) {
        begun = step;
        action.run();
        acknowledged = step;
        listener.run();
    }

    private static boolean exists(Path path) {
        try {
            Posix.lstat(path);
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    private static byte[] read(Path path) {
        int fd = Posix.open(path, Posix.O_RDONLY, 0);
        try {
            return Posix.pread(fd, 0, LARGEST + 1);
        } finally {
            Posix.close(fd);
        }
    }

    /** A close may tell of a dead daemon once more; the descriptor is gone all the same. */
    private static void closeWhateverHappened(int fd) {
        try {
            Posix.close(fd);
        } catch (PosixException told) {
            // The step that failed has told it already.
        }
    }
}
