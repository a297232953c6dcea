package org.beefs.queenbee.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.Test;

/** What the times of a replica say of its file, and of whether that was changed. */
class ReplicaTimesTest extends OneDesktopTest {
    @Test
    void shouldTakeDirtyBackWhenNothingChanged() {
        long inode = createCommitted("f", 100);
        long version = layout(inode).getVersion();
        desktop.ok(Ask.open(inode, 5, true, true));
        assertThat(layout(inode).getDirty()).isTrue();

        desktop.ok(Ask.release(
                inode, 5, status(inode, 100, 1).toBuilder().setObservation(7).build()));

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(layout(inode).getVersion()).isEqualTo(version);
    }

    /** As programs do that change a tag or a volume in place, and hide that. */
    @Test
    void shouldMakeAVersionOfWhatWasWrittenBeforeItsMtimeWasSetBack() {
        long inode = createCommitted("f", 100);
        long version = layout(inode).getVersion();
        desktop.ok(Ask.open(inode, 5, true, true));
        desktop.ok(Ask.change(
                SetAttributes.newBuilder().setInode(inode).setMtime(time(1)).setHandle(6)));
        ReplicaStatus asBefore =
                status(inode, 100, 1).toBuilder().setObservation(7).build();

        desktop.ok(Ask.release(inode, 6, asBefore));
        desktop.ok(Ask.release(inode, 5, asBefore));

        assertThat(layout(inode).getVersion()).isGreaterThan(version);
        version = layout(inode).getVersion();

        desktop.ok(Ask.open(inode, 7, true, true));
        desktop.ok(Ask.release(inode, 7, asBefore.toBuilder().setObservation(8).build()));

        assertThat(layout(inode).getVersion()).as("nothing has changed again").isEqualTo(version);
    }

    @Test
    void shouldKeepTheTimesOfAFileWhoseReplicaWasMadeButNeverChanged() {
        long inode = create("f", 1);
        Node created = node(inode);
        ReplicaStatus untouched =
                status(inode, 0, 1).toBuilder().setUntouched(true).build();

        desktop.ok(Ask.release(inode, 1, untouched));

        Node committed = node(inode);
        assertThat(committed.getLayout().getVersion()).isPositive();
        assertThat(committed.getLayout().getCommittedMtime()).isEqualTo(untouched.getMtime());
        assertThat(committed.getAttributes()).isEqualTo(created.getAttributes());
        desktop.ok(Ask.open(inode, 2, false, true));
        desktop.ok(Ask.release(inode, 2, untouched));
        assertThat(node(inode)).as("opened and closed again").isEqualTo(committed);
    }

    /** A ctime that lies ahead, or within the tick of the clock in which it was written, says nothing otherwise. */
    @Test
    void shouldMoveCtimeOnWithEachVersionWhateverTheReplicaSays() {
        long inode = create("f", 1);
        Timestamp made = node(inode).getAttributes().getCtime();
        desktop.ok(Ask.release(inode, 1, status(inode, 100, 1)));
        Timestamp first = node(inode).getAttributes().getCtime();
        assertThat(Timestamps.toInstant(first))
                .isEqualTo(Timestamps.toInstant(made).plusNanos(1));

        desktop.ok(Ask.open(inode, 2, true, true));
        desktop.ok(Ask.release(
                inode, 2, status(inode, 50, 1).toBuilder().setObservation(7).build()));

        assertThat(Timestamps.toInstant(node(inode).getAttributes().getCtime()))
                .as("shortened in the same tick")
                .isEqualTo(Timestamps.toInstant(first).plusNanos(1));
    }

    @Test
    void shouldTakeALaterCtimeFromTheReplica() {
        long inode = create("f", 1);
        Timestamp later = time(hive.time().now().getEpochSecond() + 100);

        desktop.ok(Ask.release(
                inode, 1, status(inode, 100, 1).toBuilder().setCtime(later).build()));

        assertThat(node(inode).getAttributes().getCtime()).isEqualTo(later);
    }

    @Test
    void shouldKeepTimesThatWereSetWhileAFileIsDirty() {
        long inode = create("f", 1);
        Timestamp set = time(77);
        Node changed = desktop.ok(Ask.change(
                        SetAttributes.newBuilder().setInode(inode).setMtime(set).setHandle(2)))
                .getNode();
        assertThat(changed.getLayout().getDirty()).isTrue();

        desktop.ok(Ask.release(inode, 1, status(inode, 10, 3)));
        assertThat(layout(inode).getDirty())
                .as("the setter of times is a writer")
                .isTrue();
        desktop.ok(Ask.release(
                inode, 2, status(inode, 10, 4).toBuilder().setMtime(set).build()));

        assertThat(node(inode).getAttributes().getMtime()).isEqualTo(set);
    }

    @Test
    void shouldKeepTimesThatWereSetOnACleanFile() {
        long inode = createCommitted("f", 100);
        desktop.ok(Ask.change(
                SetAttributes.newBuilder().setInode(inode).setMtime(time(77)).setHandle(2)));
        desktop.ok(Ask.open(inode, 3, true, true));
        desktop.ok(Ask.release(
                inode, 3, status(inode, 100, 1).toBuilder().setObservation(8).build()));

        assertThat(node(inode).getAttributes().getMtime()).isEqualTo(time(77));
        assertThat(layout(inode).getCommittedMtime()).isEqualTo(time(1));
    }
}
