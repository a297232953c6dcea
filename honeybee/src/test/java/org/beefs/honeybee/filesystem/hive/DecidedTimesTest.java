package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.rpc.Link;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Release;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Times of files that are delegated to this desktop, such as tar sets before it closes what it has unpacked. */
class DecidedTimesTest {
    private static final Instant LONG_AGO = Instant.parse("1999-12-31T23:59:59Z");
    private static final OpenFlags WRITE = new OpenFlags(false, true, false, true, false, false);

    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, new EmptyHoneycomb(), null);
    private final HiveFileSystem files = hive.files;
    private long home;

    @BeforeEach
    void makeHome() {
        home = hive.startWithDelegatedHome(false);
    }

    @Test
    void shouldBeSetThroughWhoWritesTheFile() {
        OpenedFile file = create("f");

        assertThat(setTimes(file)).isEqualTo(LONG_AGO);
        hive.get(files.release(file.handle()));

        assertThat(setting())
                .extracting(set -> set.getSetAttributes().getHandle())
                .containsExactly(file.handle());
        assertThat(hive.queen.releases).singleElement().satisfies(release -> {
            assertThat(release.getHandle()).isEqualTo(file.handle());
            assertThat(Timestamps.toInstant(release.getStatus().getMtime())).isEqualTo(LONG_AGO);
        });
    }

    @Test
    void shouldOpenTheFileForThatWhenNobodyWritesIt() {
        OpenedFile file = create("f");
        hive.queen.held = OperationCase.RELEASE;
        CompletableFuture<Void> released = files.release(file.handle());

        assertThat(setTimes(file)).isEqualTo(LONG_AGO);

        assertThat(setting())
                .extracting(set -> set.getSetAttributes().getHandle())
                .singleElement()
                .isNotEqualTo(file.handle());
        hive.queen.letGo();
        hive.get(released);
    }

    /** Else she would open the file after its release, for good. */
    @Test
    void shouldBeAskedForBeforeTheHandleIsReleasedThatIsOpenedForThem() {
        OpenedFile file = create("f");
        hive.queen.held = OperationCase.RELEASE;
        CompletableFuture<Void> released = files.release(file.handle());
        setTimes(file);
        hive.queen.letGo();
        hive.get(released);
        hive.pass(Duration.ofMillis(Link.UNHURRIED_MILLIS));

        long opened = setting().getFirst().getSetAttributes().getHandle();
        assertThat(hive.queen.requests)
                .filteredOn(request -> request.getSetAttributes().getHandle() == opened
                        || request.getRelease().getHandle() == opened)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.SET_ATTRIBUTES, OperationCase.RELEASE);
    }

    @Test
    void shouldNotLeaveTheFileOpenWhenTheQueenBeeHasFoundItDirtyMeanwhile() {
        OpenedFile file = create("f");
        hive.get(files.release(file.handle()));
        long inode = file.attributes().getInode();
        hive.queen.node(inode).getLayoutBuilder().setDirty(false);
        hive.get(files.getAttributes(inode));
        hive.queen.releases.clear();
        hive.queen.held = OperationCase.SET_ATTRIBUTES;
        setTimes(file);

        hive.queen.node(inode).getLayoutBuilder().setDirty(true);
        hive.queen.letGo();
        hive.pass(Duration.ofMillis(Link.UNHURRIED_MILLIS));

        assertThat(hive.queen.releases)
                .extracting(Release::getHandle)
                .containsExactly(setting().getFirst().getSetAttributes().getHandle());
    }

    private OpenedFile create(String name) {
        OpenedFile file = hive.get(files.create(ROOT, home, bytes(name), 0644, 0, WRITE));
        hive.get(files.write(file.handle(), 0, Unpooled.wrappedBuffer(new byte[10]), false, false));
        return file;
    }

    private Instant setTimes(OpenedFile file) {
        Attributes set = hive.get(files.setAttributes(
                ROOT,
                file.attributes().getInode(),
                new AttributeChange(null, null, null, null, null, new TimeChange.At(LONG_AGO), null, false)));
        return Timestamps.toInstant(set.getMtime());
    }

    private List<QueenRequest> setting() {
        return hive.queen.requestsOf(OperationCase.SET_ATTRIBUTES);
    }
}
