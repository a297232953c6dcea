package org.beefs.honeybee.jnr;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.MemoryFileSystem;
import org.beefs.honeybee.mount.Callers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** User 2000 may do everything in the directory, and its group nothing: the mask in its mode says otherwise. */
class ShownModesTest {
    private static final Credentials ROOT = Credentials.getDefaultInstance();

    /** u::rwx u:2000:rwx g::--- m::rwx o::--- */
    private static final ByteString LIST = ByteString.fromHex("02000000" + "01000700ffffffff" + "02000700d0070000"
            + "04000000ffffffff" + "10000700ffffffff" + "20000000ffffffff");

    private final FileSystem fileSystem = new MemoryFileSystem(Runnable::run);
    private final ShownModes modes = new ShownModes(fileSystem);
    private final Call call = new Call(new NoSession(), 1000, 1000, 1, 0);
    private Attributes directory = Attributes.getDefaultInstance();

    @BeforeEach
    void make() {
        directory = found(fileSystem.makeDirectory(ROOT, FileSystem.ROOT, ByteString.copyFromUtf8("d"), 0770, 0));
    }

    @Test
    void shouldShowTheModeOfWhatHasNoList() {
        assertThat(modes.of(call, directory)).isEqualTo(FileMode.DIRECTORY | 0770);
        assertThat(modes.meant(call, directory, 0700)).isEqualTo(0700);
        assertThat(modes.meant(call, directory, 0775)).isEqualTo(0775);
    }

    @Test
    void shouldShowWhatTheOwningGroupMayInADirectoryWithAList() {
        setList();

        assertThat(modes.of(call, directory)).isEqualTo(FileMode.DIRECTORY | 0700);
    }

    @Test
    void shouldKeepTheMaskWhereTheGroupsRightsAreLeftAsTheyAreShown() {
        setList();

        assertThat(modes.meant(call, directory, 0701)).isEqualTo(0771);
        assertThat(modes.meant(call, directory, 0750)).isEqualTo(0750);
    }

    private void setList() {
        fileSystem
                .setXattr(ROOT, directory.getInode(), AccessControlList.ACCESS, LIST, false, false)
                .join();
    }

    private static Attributes found(CompletableFuture<Attributes> made) {
        return made.join();
    }

    private static final class NoSession implements Call.Session {
        @Override
        public Callers callers() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isInterrupted() {
            return false;
        }

        @Override
        public boolean hasEnded() {
            return false;
        }
    }
}
