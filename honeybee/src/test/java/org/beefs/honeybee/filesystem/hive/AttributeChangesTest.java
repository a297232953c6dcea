package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.Test;

/** Attributes that programs set, and set-id bits that writes take away. */
class AttributeChangesTest extends FileSystemTest {
    @Test
    void shouldSetTimesOfACleanFileAtTheQueenOnly() {
        long inode = addFile("f");

        Attributes attributes = hive.get(files.setAttributes(ROOT, inode, mtime(at(500))));

        assertThat(attributes.getMtime().getSeconds()).isEqualTo(500);
        assertThat(honeycomb.requests).isEmpty();
        assertThat(queen.releases).isEmpty();
    }

    @Test
    void shouldSetTimesOfADirtyFileInBothPlacesAndReleaseWithThem() {
        OpenedFile file = create("f", WRITE);
        write(file, "x");

        Attributes attributes =
                hive.get(files.setAttributes(ROOT, file.attributes().getInode(), mtime(at(500))));

        assertThat(attributes.getMtime().getSeconds()).isEqualTo(500);
        assertThat(onlyRelease().getHandle()).isNotEqualTo(file.handle());
        assertThat(onlyRelease().getStatus().getMtime().getSeconds()).isEqualTo(500);
        assertThat(hive.get(files.getAttributes(file.attributes().getInode()))
                        .getMtime()
                        .getSeconds())
                .isEqualTo(500);
    }

    @Test
    void shouldMeanTheSameMomentByNowInBothPlaces() {
        OpenedFile file = create("f", WRITE);
        write(file, "x");

        hive.get(files.setAttributes(ROOT, file.attributes().getInode(), mtime(new TimeChange.Now(null))));

        assertThat(onlyRelease().getStatus().getMtime()).isEqualTo(FakeQueen.DECIDED_NOW);
    }

    @Test
    void shouldChangeModeSizeAndTimesInThatOrder() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        Attributes attributes = hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(0600, null, null, 1L, null, at(500), null, false)));

        assertThat(attributes.getMode()).isEqualTo(0100600);
        assertThat(attributes.getSize()).isEqualTo(1);
        assertThat(attributes.getMtime().getSeconds()).isEqualTo(500);
    }

    @Test
    void shouldTakeSetIdBitsAwayBeforeAnUnprivilegedWrite() {
        long inode =
                queen.addFile("f", honeycomb.layout(), Attributes.newBuilder().setMode(0104755));
        OpenedFile file = open(inode, WRITE);

        hive.get(files.write(file.handle(), 0, buffer("x"), false, true));
        hive.get(files.write(file.handle(), 0, buffer("y"), false, true));

        assertThat(hive.get(files.getAttributes(inode)).getMode()).isEqualTo(0100755);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SET_ATTRIBUTES)).hasSize(1);
    }

    @Test
    void shouldReleaseAfterAWriteThatStillTakesSetIdBitsAway() {
        long inode =
                queen.addFile("f", honeycomb.layout(), Attributes.newBuilder().setMode(0104755));
        OpenedFile file = open(inode, WRITE);
        queen.setMute(true);
        files.write(file.handle(), 0, buffer("hello"), false, true);
        CompletableFuture<Void> released = files.release(file.handle());
        hive.timers.runDue();
        queen.setMute(false);

        hive.get(released, Duration.ofSeconds(15));

        assertThat(onlyRelease().getStatus().getSize()).isEqualTo(5);
    }

    @Test
    void shouldSeeThatSetIdBitsWereSetAfterTheOpen() {
        OpenedFile file = create("f", WRITE);
        long inode = file.attributes().getInode();
        hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(06755, null, null, null, null, null, null, false)));

        hive.get(files.write(file.handle(), 0, buffer("x"), false, true));

        assertThat(hive.get(files.getAttributes(inode)).getMode()).isEqualTo(0100755);
    }

    @Test
    void shouldSayThatAChangeIsMadeOfAFileThatNobodyCanBeAskedAbout() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true).clearAddress();
        honeycomb.stop();

        assertThat(hive.get(files.setAttributes(ROOT, inode, mode(0600))).getMode())
                .isEqualTo(0100600);
        assertThat(hive.get(files.link(ROOT, inode, FileSystem.ROOT, bytes("g")))
                        .getInode())
                .isEqualTo(inode);
    }

    @Test
    void shouldSayThatAChangeIsMadeOfAFileWhoseHoneycombDoesNotAnswer() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true);
        honeycomb.setMute(true);

        CompletableFuture<Attributes> changed = files.setAttributes(ROOT, inode, mode(0600));
        CompletableFuture<Attributes> linked = files.link(ROOT, inode, FileSystem.ROOT, bytes("g"));

        assertThat(hive.get(changed, FakeHive.CONFIG.statusPatience()).getMode())
                .isEqualTo(0100600);
        assertThat(hive.get(linked).getInode()).isEqualTo(inode);
    }

    @Test
    void shouldSayTheSizeOfAFileThatSomebodyWritesWhenItIsChanged() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true);
        honeycomb.put(inode, "12345", Timestamp.newBuilder().setSeconds(7).build());

        assertThat(hive.get(files.setAttributes(ROOT, inode, mode(0600))).getSize())
                .isEqualTo(5);
        assertThat(hive.get(files.link(ROOT, inode, FileSystem.ROOT, bytes("g")))
                        .getSize())
                .isEqualTo(5);
    }

    /** A kernel would drop what programs have written in mappings behind an outdated size. */
    @Test
    void shouldNotGuessTheSizeOfWhatIsOpenHereWhenItIsChanged() {
        long inode = addFile("f");
        open(inode, READ);
        queen.layout(inode).setDirty(true).clearAddress();
        honeycomb.stop();

        CompletableFuture<Attributes> changed = files.setAttributes(ROOT, inode, mode(0600));
        hive.pass(Duration.ofSeconds(10));

        assertThat(changed).isNotDone();
    }

    private static AttributeChange mode(int mode) {
        return new AttributeChange(mode, null, null, null, null, null, null, false);
    }

    private static AttributeChange mtime(TimeChange mtime) {
        return new AttributeChange(null, null, null, null, null, mtime, null, false);
    }

    private static TimeChange at(long seconds) {
        return new TimeChange.At(Instant.ofEpochSecond(seconds));
    }
}
