package org.beefs.queenbee.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.FileSystemStatus;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What the queen-bee refuses, and whom she asks to give something back, before her heap is full. */
class ScarceMemoryTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration TICK = Duration.ofSeconds(2);

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk");
    private final Decided decided = Decided.register(desktop);

    @Test
    void shouldMakeNothingMoreWhenMemoryIsScarce() {
        long file = inode(desktop.ok(Ask.create(ROOT, "f", 0644, desktop.newHandle())));
        use(MemoryRoom.SCARCE_PERCENT);

        assertThat(desktop.fails(Ask.create(ROOT, "g", 0644, desktop.newHandle())))
                .isEqualTo(Errno.ENOSPC);
        assertThat(desktop.fails(Ask.mkdir(ROOT, "d", 0755))).isEqualTo(Errno.ENOSPC);
        assertThat(desktop.fails(Ask.symlink(ROOT, "s", "f"))).isEqualTo(Errno.ENOSPC);
        assertThat(desktop.fails(Ask.mknod(ROOT, "n", 0100644))).isEqualTo(Errno.ENOSPC);
        assertThat(desktop.fails(Ask.link(file, ROOT, "l"))).isEqualTo(Errno.ENOSPC);
        assertThat(desktop.fails(Ask.setXattr(file, "user.a", "value"))).isEqualTo(Errno.ENOSPC);
        assertThat(freeInodes()).isZero();
    }

    @Test
    void shouldGiveNoLongerNamesWhenMemoryIsScarce() {
        desktop.ok(Ask.mknod(ROOT, "f", 0100644));
        desktop.ok(Ask.mknod(ROOT, "other", 0100644));
        use(MemoryRoom.SCARCE_PERCENT);

        assertThat(desktop.fails(Ask.rename(ROOT, "f", ROOT, "longer"))).isEqualTo(Errno.ENOSPC);

        desktop.ok(Ask.rename(ROOT, "f", ROOT, "other"));
        desktop.ok(Ask.rename(ROOT, "other", ROOT, "f"));
    }

    @Test
    void shouldGoOnWithWhatNeedsNoMoreMemory() {
        long file = inode(desktop.ok(Ask.create(ROOT, "f", 0644, desktop.newHandle())));
        use(MemoryRoom.SCARCE_PERCENT);

        desktop.ok(Ask.chmod(file, 0600));
        desktop.ok(Ask.rename(ROOT, "f", ROOT, "g"));
        desktop.ok(Ask.create(ROOT, "g", 0644, desktop.newHandle()));
        desktop.ok(Ask.unlink(ROOT, "g"));
    }

    @Test
    void shouldGoOnWhenThereIsEnoughAgain() {
        use(MemoryRoom.SCARCE_PERCENT);
        use(MemoryRoom.ENOUGH_PERCENT);
        assertThat(desktop.fails(Ask.mkdir(ROOT, "d", 0755))).isEqualTo(Errno.ENOSPC);

        use(MemoryRoom.ENOUGH_PERCENT - 1);

        desktop.ok(Ask.mkdir(ROOT, "d", 0755));
        assertThat(freeInodes()).isPositive();
    }

    /** It is on its way, or in the log of a desktop that is away: refusing it would lose what a program has made. */
    @Test
    void shouldMakeWhatADesktopHasDecidedAlready() {
        long directory = inode(desktop.ok(Ask.mkdir(ROOT, "d", 0755)));
        use(MemoryRoom.SCARCE_PERCENT);

        desktop.ok(decided.create(directory, "f", decided.number(), desktop.newHandle()));
    }

    @Test
    void shouldHaveDesktopsAskFromThenOn() {
        desktop.ok(Ask.mkdir(ROOT, "d", 0755));

        use(MemoryRoom.SCARCE_PERCENT);

        assertThat(desktop.recalls()).hasSize(1);
        assertThat(desktop.recalls().getFirst().getEverything()).isTrue();
        assertThat(desktop.ok(Ask.lookup(ROOT, "d")).getNode().getDelegated()).isFalse();
    }

    private void use(int percent) {
        hive.useMemory(percent);
        hive.advance(List.of(desktop), TICK);
    }

    private long freeInodes() {
        return desktop.ok(QueenRequest.newBuilder().setFileSystemStatus(FileSystemStatus.getDefaultInstance()))
                .getFileSystemSpace()
                .getInodesAvailable();
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }
}
