package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import org.beefs.common.posix.Errno;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

class DropTest {
    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldRemoveAReplicaAndRefuseLateWrites() {
        fixture.write(target(5), 0, "honey");
        fixture.store.drop(name(5));

        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isNull();
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "late"))).isEqualTo(Errno.ESTALE);
        assertThat(errnoOf(() -> fixture.store.truncate(target(5), 0).join())).isEqualTo(Errno.ESTALE);
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.ESTALE);
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldRefuseTheFirstWriteOfAReplicaThatWasDroppedBeforeItWasMade() {
        fixture.store.drop(name(5));
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "late"))).isEqualTo(Errno.ESTALE);
    }

    /** A file that nobody has written comes back to a desktop that it had left. */
    @Test
    void shouldMakeAReplicaThatWasDroppedOfALaterEpoch() {
        fixture.store.drop(name(5));
        ReplicaTarget later = Targets.ofEpoch(5, EPOCH + 1);

        fixture.write(later, 0, "honey");

        assertThat(fixture.read(later)).isEqualTo("honey");
    }

    @Test
    void shouldDropAgainWithoutHarm() {
        fixture.write(target(5), 0, "honey");
        fixture.write(target(6), 0, "comb");
        fixture.store.drop(name(5));
        fixture.store.drop(name(5));
        assertThat(fixture.space.used()).isEqualTo(4096);
        assertThat(fixture.read(target(6))).isEqualTo("comb");
    }

    @Test
    void shouldDropWithoutRegardToTheEpochWhenNoneIsNamed() {
        fixture.write(target(5), 0, "honey");
        fixture.store.drop(ReplicaName.newBuilder().setInode(5).build());
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldKeepAReplicaOfALaterEpochThanTheOneToBeDropped() {
        fixture.write(target(5), 0, "honey");
        fixture.store.drop(name(5).toBuilder().setEpoch(EPOCH - 1).build());
        assertThat(fixture.read(target(5))).isEqualTo("honey");
    }

    @Test
    void shouldKeepTheReplicaWhenTheDiskDoesNotRemoveIt() {
        fixture.write(target(5), 0, "honey");
        fixture.disk.setFaults(operation -> operation == Operation.DELETE ? Errno.EROFS : null);
        assertThat(errnoOf(() -> fixture.store.drop(name(5)))).isEqualTo(Errno.EROFS);
        assertThat(fixture.space.report().getReadOnly()).isTrue();
        fixture.disk.setFaults(operation -> null);
        fixture.store.drop(name(5));
        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.space.used()).isZero();
    }

    @Test
    void shouldRemoveAReplicaWhoseFileCannotBeOpened() {
        fixture.write(target(5), 0, "honey");
        fixture.disk.makeUnreadable(new ReplicaId(5, 0));
        fixture.store = fixture.store(4); // nobody has it open

        fixture.store.drop(name(5));

        assertThat(fixture.disk.replicas()).isEmpty();
        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isNull();
    }

    @Test
    void shouldKeepWhatMayHaveChangesWhenItsFileCannotBeOpened() {
        fixture.write(target(5), 0, "honey");
        fixture.disk.makeUnreadable(new ReplicaId(5, 0));
        fixture.store = fixture.store(4);
        fixture.store.drop(name(5).toBuilder().setEpoch(EPOCH + 1).build());
        assertThat(fixture.disk.replicas()).as("a former primary").hasSize(1);

        fixture.restart(); // which cannot know what it is
        assertThat(errnoOf(() -> fixture.store.drop(name(5)))).isEqualTo(Errno.EIO);
        assertThat(fixture.disk.replicas()).hasSize(1);

        fixture.store.drop(ReplicaName.newBuilder().setInode(5).build());
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldGiveTheSpaceBackThoughTheCatalogCannotBeTold() {
        fixture.write(target(5), 0, "honey");
        fixture.catalog.failWrites(true);

        assertThat(errnoOf(() -> fixture.store.drop(name(5)))).isEqualTo(Errno.EIO);
        assertThat(fixture.space.used()).isZero();
        assertThat(fixture.files.space().free())
                .as("no descriptor holds the file")
                .isEqualTo(StoreFixture.DISK);
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.ESTALE);

        fixture.catalog.failWrites(false);
        fixture.store.drop(name(5));
        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isNull();
        assertThat(fixture.space.used()).isZero();
    }
}
