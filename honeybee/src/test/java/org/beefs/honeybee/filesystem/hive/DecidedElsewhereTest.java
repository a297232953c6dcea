package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Message;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that a desktop without a honeycomb makes before it asks: they lie on another desktop. */
class DecidedElsewhereTest {
    private static final OpenFlags WRITE = new OpenFlags(false, true, false, true, false, false);

    private final FakeHive hive = new FakeHive();
    private final HiveFileSystem files = hive.files;
    private long home;

    @BeforeEach
    void makeHome() {
        home = hive.startWithDelegatedHome(true);
    }

    @Test
    void shouldLetProgramsGoOnBeforeAnybodyElseKnowsOfThem() {
        hive.queen.held = OperationCase.CREATE;

        OpenedFile file = create();
        hive.get(write(file, "text"));
        hive.get(files.flush(file.handle(), file.attributes().getInode(), 0));

        assertThat(content(file)).isEqualTo("text");
        hive.pass(Duration.ofMillis(Link.UNHURRIED_MILLIS));
        assertThat(hive.queen.requestsOf(OperationCase.CREATE)).hasSize(1);
    }

    @Test
    void shouldSyncOnlyWhatTheQueenBeeKnows() {
        hive.queen.held = OperationCase.CREATE;
        OpenedFile file = create();
        hive.get(write(file, "text"));

        CompletableFuture<Void> synced = files.sync(file.handle(), false);
        hive.pass(Duration.ofMillis(Link.UNHURRIED_MILLIS));
        assertThat(synced).isNotDone();
        hive.queen.letGo();

        hive.get(synced);
    }

    @Test
    void shouldSayHowLargeAFileIsThatTheQueenBeeHasYetToHearOf() {
        hive.queen.held = OperationCase.CREATE;
        OpenedFile file = create();
        long inode = file.attributes().getInode();
        assertThat(hive.get(files.getAttributes(inode)).getSize()).isZero();

        hive.get(write(file, "text"));

        assertThat(hive.get(files.getAttributes(inode)).getSize()).isEqualTo(4);
    }

    @Test
    void shouldBringContentWhereTheQueenBeeSaysInTheEnd() {
        FakeHoneycomb other = new FakeHoneycomb(hive.network, hive.timers, "desktop3");
        other.start(0);
        hive.queen.newFiles = other.layout().build();

        OpenedFile file = create();
        hive.get(files.sync(file.handle(), false));
        hive.get(write(file, "text"));
        hive.get(files.flush(file.handle(), file.attributes().getInode(), 0));

        assertThat(other.content(file.attributes().getInode())).isEqualTo("text");
        assertThat(content(file)).isEmpty();
    }

    /** As when a registration has brought the making to a queen-bee who had forgotten the session. */
    @Test
    void shouldGoOnWritingWhenTheMakingWasBroughtBefore() {
        hive.queen.decidedBefore = true;
        OpenedFile file = create();
        hive.get(files.sync(file.handle(), false));

        hive.get(write(file, "text"));
        hive.get(files.flush(file.handle(), file.attributes().getInode(), 0));

        assertThat(content(file)).isEqualTo("text");
    }

    @Test
    void shouldTellWhoeverSyncsThatTheQueenBeeHasRefusedThem() {
        hive.queen.held = OperationCase.CREATE;
        hive.queen.decidedRefusal = new PosixException(Errno.EROFS, "nothing may be changed");
        OpenedFile file = create();
        hive.get(write(file, "text"));
        hive.pass(Duration.ofMillis(Link.UNHURRIED_MILLIS));
        hive.queen.letGo();

        assertThat(hive.failure(files.sync(file.handle(), false))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldHoldNothingBackWhenSomebodyElseLooks() {
        hive.queen.held = OperationCase.CREATE;
        OpenedFile file = create();
        hive.get(write(file, "text"));

        CompletableFuture<Message<DesktopReply>> recalled = hive.queen.recall(Recall.newBuilder()
                .addInodes(home)
                .addInodes(file.attributes().getInode())
                .build());
        hive.pass(Duration.ofMillis(100));
        assertThat(recalled).isNotDone();

        hive.queen.letGo();
        hive.get(recalled);
        assertThat(content(file)).isEqualTo("text");
    }

    private OpenedFile create() {
        return hive.get(files.create(ROOT, home, bytes("f"), 0644, 0, WRITE));
    }

    private CompletableFuture<Void> write(OpenedFile file, String text) {
        return files.write(
                file.handle(), 0, Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)), false, false);
    }

    private String content(OpenedFile file) {
        return hive.honeycomb.content(file.attributes().getInode());
    }
}
