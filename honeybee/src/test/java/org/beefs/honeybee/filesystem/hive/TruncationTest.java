package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.USER;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files that are cut short, by what programs open or by path. */
class TruncationTest extends FileSystemTest {
    private static final OpenFlags TRUNCATE = new OpenFlags(true, true, true, false, false, false);

    @Test
    void shouldTruncateByPathThroughAnOpenOfItsOwn() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        Attributes attributes = hive.get(files.setAttributes(USER, inode, size(2L, null)));

        assertThat(attributes.getSize()).isEqualTo(2);
        assertThat(honeycomb.content(inode)).isEqualTo("12");
        QueenRequest open = queen.requestsOf(QueenRequest.OperationCase.OPEN).getFirst();
        assertThat(open.getOpen().getWrite()).isTrue();
        assertThat(open.getCredentials()).isEqualTo(USER);
        assertThat(onlyRelease().getHandle()).isEqualTo(open.getOpen().getHandle());
        assertThat(onlyRelease().getStatus().getSize()).isEqualTo(2);
    }

    @Test
    void shouldTruncateThroughAnOpenHandle() {
        OpenedFile file = create("f", WRITE);
        write(file, "123456");

        Attributes attributes =
                hive.get(files.setAttributes(USER, file.attributes().getInode(), size(3L, file.handle())));

        assertThat(attributes.getSize()).isEqualTo(3);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.OPEN)).isEmpty();
        assertThat(queen.releases).isEmpty();
    }

    @Test
    void shouldTruncateOnOpen() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        OpenedFile file = open(inode, TRUNCATE);

        assertThat(honeycomb.content(inode)).isEmpty();
        assertThat(file.attributes().getSize()).isZero();
    }

    @Test
    void shouldTruncateWhatACreateHasFound() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        create("f", TRUNCATE);

        assertThat(honeycomb.content(inode)).isEmpty();
    }

    @Test
    void shouldNotTouchTheHoneycombForAFileThatIsNew() {
        create("f", TRUNCATE);

        assertThat(honeycomb.requests).isEmpty();
    }

    @Test
    void shouldReleaseAnOpenWhoseTruncationFailed() {
        long inode = addFile("f");
        honeycomb.stop();
        CompletableFuture<OpenedFile> open = files.open(ROOT, inode, TRUNCATE);

        hive.pass(Duration.ofSeconds(70));

        assertThat(hive.failure(open)).isEqualTo(Errno.EIO);
        assertThat(queen.releases).hasSize(1);
    }

    private static AttributeChange size(Long size, @Nullable Long handle) {
        return new AttributeChange(null, null, null, size, null, null, handle, false);
    }
}
