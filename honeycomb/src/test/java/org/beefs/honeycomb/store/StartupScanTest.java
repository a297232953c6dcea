package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

class StartupScanTest {
    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldFillTheCatalogFromTheFiles() {
        fixture.write(target(7), 0, "seven");
        fixture.write(target(5), 0, "five");
        fixture.restart();
        assertThat(fixture.catalog.page(null, 10))
                .extracting(ReplicaDescription::getInode)
                .containsExactly(5L, 7L);
        assertThat(fixture.read(target(7))).isEqualTo("seven");
    }

    @Test
    void shouldPutFilesThatDoNotSayWhatTheyAreIntoQuarantine() {
        ReplicaId undescribed = new ReplicaId(9, 0);
        fixture.disk.addUndescribed(undescribed);
        fixture.write(target(5), 0, "five");
        fixture.restart();

        assertThat(fixture.disk.lost()).containsExactly(undescribed.fileName());
        assertThat(fixture.disk.replicas()).containsExactly(new ReplicaId(5, 0));
        assertThat(fixture.read(target(9))).isEmpty();
        fixture.write(target(9), 0, "made anew");
    }

    @Test
    void shouldKeepAFileThatCannotBeMovedAndNotTakeItForEmpty() {
        ReplicaId undescribed = new ReplicaId(9, 0);
        fixture.disk.addUndescribed(undescribed);
        Objects.requireNonNull(fixture.files.open(undescribed)).setImmutable(true);
        fixture.disk.forbidFlags(true);
        fixture.restart();

        assertThat(fixture.disk.lost()).isEmpty();
        assertThat(errnoOf(() -> fixture.read(target(9)))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldGoOnWithoutAFileThatMayNotBeMoved() {
        fixture.disk.addUndescribed(new ReplicaId(9, 0));
        fixture.write(target(5), 0, "five");
        fixture.disk.setFaults(operation -> operation == Operation.DELETE ? Errno.EACCES : null);
        fixture.restart();

        assertThat(fixture.read(target(5))).isEqualTo("five");
        assertThat(errnoOf(() -> fixture.read(target(9)))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldKeepAFileThatCannotBeReadAndNotTakeItForEmpty() {
        fixture.write(target(5), 0, "five");
        fixture.write(target(7), 0, "seven");
        fixture.disk.makeUnreadable(new ReplicaId(7, 0));
        fixture.restart();

        assertThat(fixture.catalog.page(null, 10))
                .extracting(ReplicaDescription::getInode)
                .containsExactly(5L);
        assertThat(fixture.read(target(5))).isEqualTo("five");
        assertThat(errnoOf(() -> fixture.read(target(7)))).isEqualTo(Errno.EIO);
        assertThat(fixture.disk.lost()).isEmpty();
    }

    @Test
    void shouldNotServeAFileThatDoesNotSayWhatItIs() {
        fixture.write(target(10), 0, "ten");
        fixture.disk.addUndescribed(new ReplicaId(9, 0));
        assertThat(errnoOf(() -> fixture.read(target(9)))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.write(target(9), 0, "x"))).isEqualTo(Errno.EIO);
    }
}
