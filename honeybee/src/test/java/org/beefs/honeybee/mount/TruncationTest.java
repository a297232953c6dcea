package org.beefs.honeybee.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.MemoryFileSystem;
import org.junit.jupiter.api.Test;

/** Whoever opens a file and takes its set-id bits away hears of one end of that open, however that goes. */
class TruncationTest {
    private final CompletableFuture<Attributes> changed = new CompletableFuture<>();
    private final List<Long> released = new ArrayList<>();
    private final MemoryFileSystem files = new MemoryFileSystem(Runnable::run) {
        @Override
        public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
            return changed;
        }

        @Override
        public CompletableFuture<Void> release(long handle) {
            released.add(handle);
            return CompletableFuture.completedFuture(null);
        }
    };
    private final CompletableFuture<OpenedFile> cleared = Truncation.clearPrivileges(
            files,
            Credentials.getDefaultInstance(),
            new OpenedFile(
                    Attributes.newBuilder().setMode(FileMode.SET_UID | 0755).build(), 7, false, false));

    @Test
    void shouldKeepWhatIsOpenAndCleared() {
        changed.complete(Attributes.newBuilder().setMode(0755).build());

        assertThat(cleared.join().handle()).isEqualTo(7);
        assertThat(released).isEmpty();
    }

    @Test
    void shouldReleaseWhatCouldNotBeCleared() {
        changed.completeExceptionally(new PosixException(Errno.EIO, "made to fail"));

        assertThat(cleared).isCompletedExceptionally();
        assertThat(released).containsExactly(7L);
    }

    @Test
    void shouldReleaseWhatIsGivenUpMeanwhile() {
        cleared.cancel(false);
        changed.complete(Attributes.newBuilder().setMode(0755).build());

        assertThat(released).containsExactly(7L);
    }
}
