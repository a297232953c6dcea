package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Access;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;

/** Which reads change the time of access, and who learns of it when. */
class AccessTimesTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags READ_UNNOTICED = new OpenFlags(true, false, false, false, false, true);

    private final FakeHive hive = FakeHive.started();
    private final HiveFileSystem files = hive.files;
    private final Instant now = hive.timers.clock().now();
    private final Instant hourAgo = now.minusSeconds(3600);
    private final Instant twoHoursAgo = now.minusSeconds(7200);

    @Test
    void shouldShowAtOnceAndTellLaterOfAReadAfterAChange() {
        long inode = file(hourAgo, hourAgo);

        read(inode, READ);

        assertThat(atime(inode)).isEqualTo(hive.timers.clock().now());
        assertThat(told()).isEmpty();
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).singleElement().satisfies(access -> {
            assertThat(access.getInode()).isEqualTo(inode);
            assertThat(access.getSeen()).isEqualTo(wire(hourAgo));
        });
    }

    @Test
    void shouldTellOfOneReadOnly() {
        long inode = file(hourAgo, hourAgo);
        read(inode, READ);
        read(inode, READ);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).hasSize(1);
    }

    @Test
    void shouldTellOfTheLaterReadWhenTheFileHasChangedBetweenTwo() {
        long inode = file(hourAgo, hourAgo);
        read(inode, READ);
        hive.pass(Duration.ofMillis(300));
        hive.get(files.setAttributes(
                ROOT,
                inode,
                new AttributeChange(
                        null,
                        null,
                        null,
                        null,
                        null,
                        new TimeChange.At(hive.timers.clock().now()),
                        null,
                        false)));
        hive.pass(Duration.ofMillis(300));

        read(inode, READ);

        Instant later = hive.timers.clock().now();
        assertThat(atime(inode)).isEqualTo(later);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).singleElement().satisfies(access -> {
            assertThat(access.getTime()).isEqualTo(wire(later));
            assertThat(access.getSeen()).isEqualTo(wire(hourAgo));
        });
    }

    @Test
    void shouldNotNoteWhatWasReadSinceTheLastChange() {
        read(file(hourAgo, twoHoursAgo), READ);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).isEmpty();
    }

    @Test
    void shouldNotNoteAReadAfterTheLastTimeThatThereIs() {
        read(file(Instant.MAX, hourAgo), READ);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).isEmpty();
    }

    @Test
    void shouldNoteOneReadADay() {
        Instant yesterday = now.minus(Duration.ofDays(1));
        read(file(yesterday, yesterday.minusSeconds(1)), READ);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).hasSize(1);
    }

    @Test
    void shouldNotNoteAnOpenWithoutReadNorOneThatIsToGoUnnoticed() {
        long inode = file(hourAgo, hourAgo);
        hive.get(files.open(ROOT, inode, READ));
        read(inode, READ_UNNOTICED);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).isEmpty();
    }

    @Test
    void shouldShowAReadAlsoWhenTheQueenBeeIsAskedAgain() {
        long inode = file(hourAgo, hourAgo);
        read(inode, READ);
        hive.queen.layout(inode).setDirty(true).setEpoch(99);
        hive.honeycomb.held = DataRequest.OperationCase.GET_STATUSES;
        CompletableFuture<Attributes> attributes = files.getAttributes(inode);
        hive.timers.runDue();

        hive.queen.layout(inode).setDirty(false);
        hive.honeycomb.letGo();

        assertThat(Timestamps.toInstant(hive.get(attributes).getAtime())).isAfter(hourAgo);
    }

    @Test
    void shouldForgetAReadWhenTheTimeIsSet() {
        long inode = file(hourAgo, hourAgo);
        read(inode, READ);
        hive.get(files.setAttributes(
                ROOT,
                inode,
                new AttributeChange(null, null, null, null, new TimeChange.At(twoHoursAgo), null, null, false)));
        assertThat(atime(inode)).isEqualTo(twoHoursAgo);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).isEmpty();
    }

    @Test
    void shouldTellOfAThousandAtATime() {
        for (int i = 0; i < 1001; i++) {
            read(file("f" + i, hourAgo, hourAgo), READ);
        }
        hive.pass(AccessTimes.TOLD_AFTER.multipliedBy(2));
        assertThat(hive.queen.requestsOf(OperationCase.RECORD_ACCESSES))
                .extracting(request -> request.getRecordAccesses().getAccessesCount())
                .containsExactly(1000, 1);
    }

    @Test
    void shouldGatherReadsAlsoWhileOthersAreTold() {
        hive.queen.held = OperationCase.RECORD_ACCESSES;
        read(file("first", hourAgo, hourAgo), READ);
        hive.pass(AccessTimes.TOLD_AFTER);
        read(file("second", hourAgo, hourAgo), READ);
        hive.queen.held = OperationCase.OPERATION_NOT_SET;
        hive.queen.letGo();
        hive.timers.runDue();
        assertThat(told()).hasSize(1);
        read(file("third", hourAgo, hourAgo), READ);

        hive.pass(AccessTimes.TOLD_AFTER);

        assertThat(hive.queen.requestsOf(OperationCase.RECORD_ACCESSES))
                .extracting(request -> request.getRecordAccesses().getAccessesCount())
                .containsExactly(1, 2);
    }

    @Test
    void shouldBeginNoSessionBeforeTheMachineSleepsAndTellWhenItIsAwake() {
        long handle = hive.get(files.open(ROOT, file(hourAgo, hourAgo), READ)).handle();
        hive.get(files.read(handle, 0, 10)).close();
        hive.get(files.release(handle));
        hive.get(hive.session.rest());
        hive.queen.endSession();
        int registrations = hive.queen.registers.size();

        hive.pass(AccessTimes.TOLD_AFTER.multipliedBy(2));
        assertThat(hive.queen.registers).hasSize(registrations);

        hive.get(hive.session.wake(), AccessTimes.TOLD_AFTER);
        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(told()).hasSize(1);
    }

    private long file(Instant accessed, Instant changed) {
        return file("f", accessed, changed);
    }

    private long file(String name, Instant accessed, Instant changed) {
        return hive.queen.addFile(
                name,
                hive.honeycomb.layout(),
                Attributes.newBuilder()
                        .setMode(0100644)
                        .setAtime(wire(accessed))
                        .setMtime(wire(changed))
                        .setCtime(wire(changed)));
    }

    private void read(long inode, OpenFlags flags) {
        long handle = hive.get(files.open(ROOT, inode, flags)).handle();
        hive.get(files.read(handle, 0, 10)).close();
    }

    private Instant atime(long inode) {
        return Timestamps.toInstant(hive.get(files.getAttributes(inode)).getAtime());
    }

    private List<Access> told() {
        return hive.queen.requestsOf(OperationCase.RECORD_ACCESSES).stream()
                .flatMap(request -> request.getRecordAccesses().getAccessesList().stream())
                .toList();
    }

    private static Timestamp wire(Instant time) {
        return Timestamps.toWire(time);
    }
}
