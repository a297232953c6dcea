package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.beefs.honeycomb.store.StoreFixture.MIB;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.Errno;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.junit.jupiter.api.Test;

/** The fixture's disk has 64 MiB, 32 of them the honeycomb's, and 8 reserved for the owner. */
class SpaceTest {
    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldFailWithEnospcWhenTheCapacityIsUsedUp() {
        for (int i = 0; i < 32; i++) {
            fixture.write(target(5), i * MIB, new byte[(int) MIB]);
        }
        assertThat(fixture.space.report().getUsed()).isEqualTo(32 * MIB);
        assertThat(fixture.space.report().getAvailable()).isZero();

        assertThat(errnoOf(() -> fixture.write(target(5), 32 * MIB, "x"))).isEqualTo(Errno.ENOSPC);
        assertThat(errnoOf(() -> fixture.write(target(6), 0, "x"))).isEqualTo(Errno.ENOSPC);
        assertThat(errnoOf(
                        () -> fixture.store.allocate(target(5), 0, 0, 33 * MIB).join()))
                .isEqualTo(Errno.ENOSPC);
        fixture.write(target(5), 3 * MIB, "what is there may be written over");
    }

    @Test
    void shouldFailWithEnospcWhenTheDiskIsDownToTheOwnersReserve() {
        fixture.write(target(5), 0, new byte[(int) MIB]);
        fixture.disk.setForeign(54 * MIB);
        fixture.clock.advance(Duration.ofSeconds(1));
        assertThat(fixture.space.report().getAvailable()).isEqualTo(MIB);

        fixture.write(target(5), MIB, new byte[(int) MIB]);
        assertThat(errnoOf(() -> fixture.write(target(5), 2 * MIB, "x"))).isEqualTo(Errno.ENOSPC);

        fixture.disk.setForeign(50 * MIB);
        fixture.write(target(5), 2 * MIB, "x");
    }

    @Test
    void shouldGiveSpaceBackThatTruncationsHolesAndDropsFree() {
        fixture.write(target(5), 0, new byte[(int) MIB]);
        fixture.write(target(6), 0, new byte[(int) MIB]);
        fixture.store.truncate(target(5), 4096).join();
        fixture.store.allocate(target(6), 0x03, 0, 8192).join();
        assertThat(fixture.space.used()).isEqualTo(4096 + MIB - 8192);

        fixture.store.drop(name(6));
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    @Test
    void shouldCountSparseFilesByWhatTheyTake() {
        fixture.store.truncate(target(5), 1L << 40).join();
        assertThat(fixture.space.used()).isZero();
        fixture.write(target(5), 1L << 30, "x");
        assertThat(fixture.space.used()).isEqualTo(4096);
    }

    @Test
    void shouldGiveBackWhatWasReservedWhenTheDiskCannotBeLookedAt() {
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.disk.setFaults(operation -> operation == Operation.SPACE ? Errno.EIO : null);
        assertThat(errnoOf(() -> fixture.space.reserve(20 * MIB))).isEqualTo(Errno.EIO);

        fixture.disk.setFaults(operation -> null);

        assertThat(fixture.space.available()).isEqualTo(32 * MIB);
    }

    @Test
    void shouldLetNothingFailBecauseOfSomethingLargerThatIsRefused() {
        fixture.disk.setForeign(40 * MIB);
        fixture.clock.advance(Duration.ofSeconds(1));
        AtomicInteger looks = new AtomicInteger();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SPACE && looks.incrementAndGet() == 1) {
                fixture.space.reserve(MIB); // while the larger one is looked at
            }
            return null;
        });

        assertThat(errnoOf(() -> fixture.space.reserve(20 * MIB))).isEqualTo(Errno.ENOSPC);

        assertThat(looks).hasPositiveValue();
        assertThat(fixture.space.available()).isEqualTo(15 * MIB);
    }

    @Test
    void shouldTakeNothingNewWhenTheDiskHasHardlyAnyInodes() {
        fixture.write(target(5), 0, "x");
        fixture.disk.setInodes(new Inodes(1_000_000, 1023));
        fixture.clock.advance(Duration.ofSeconds(1));

        assertThat(fixture.space.available()).isZero();
        assertThat(fixture.space.report().getAvailable()).isZero();
        assertThat(errnoOf(() -> fixture.write(target(6), 0, "x"))).isEqualTo(Errno.ENOSPC);
        assertThat(fixture.disk.replicas()).hasSize(1);
        fixture.write(target(5), 0, "what is there may be written");

        fixture.disk.setInodes(new Inodes(1_000_000, 1024));
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.write(target(6), 0, "x");
        assertThat(fixture.space.available()).isEqualTo(32 * MIB - 8192);
    }

    /** Nothing else tells that a quota is used up: the disk has bytes and inodes. */
    @Test
    void shouldTakeNothingNewForAWhileWhenAQuotaIsUsedUp() {
        fixture.disk.setFaults(operation -> operation == Operation.CREATE ? Errno.EDQUOT : null);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.EDQUOT);

        assertThat(fixture.space.available()).isZero();
        assertThat(fixture.space.report().getAvailable()).isZero();

        fixture.clock.advance(Duration.ofNanos(Space.REFUSAL_NANOS));
        assertThat(fixture.space.available()).isEqualTo(32 * MIB);
        assertThat(fixture.space.report().getAvailable()).isEqualTo(32 * MIB);
    }

    /** As a disk is after errors of its file system: it goes on telling of free bytes. */
    @Test
    void shouldTakeNothingNewForAWhileWhenTheDiskHasBecomeReadOnly() {
        fixture.disk.setFaults(operation -> operation == Operation.CREATE ? Errno.EROFS : null);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.EROFS);

        assertThat(fixture.space.available()).isZero();
        assertThat(fixture.space.report().getAvailable()).isZero();
        assertThat(fixture.space.report().getReadOnly()).isTrue();

        fixture.clock.advance(Duration.ofNanos(Space.REFUSAL_NANOS));
        assertThat(fixture.space.report().getReadOnly()).isFalse();
        assertThat(fixture.space.available()).isEqualTo(32 * MIB);
    }

    /** At the start the owner had 54 of 64 MiB. */
    @Test
    void shouldTakeItsShareOfWhatTheOwnerHasFreedSince() {
        fixture.write(target(5), 0, new byte[(int) MIB]);
        fixture.disk.setForeign(54 * MIB);
        Space space = new Space(fixture.files, fixture.clock, OptionalLong.empty(), 0, MIB);
        assertThat(space.report().getCapacity()).isEqualTo(10 * MIB / 100 * 80);
        assertThat(errnoOf(() -> space.reserve(8 * MIB))).isEqualTo(Errno.ENOSPC);

        fixture.disk.setForeign(33 * MIB);

        space.reserve(8 * MIB);
        space.release(8 * MIB);
        fixture.clock.advance(Duration.ofSeconds(1));
        assertThat(space.report().getCapacity()).isEqualTo(31 * MIB / 100 * 80);
        assertThat(space.available()).isEqualTo(31 * MIB / 100 * 80 - MIB);
    }

    @Test
    void shouldSayWhetherItsCapacityWasConfigured() {
        Space share = new Space(fixture.files, fixture.clock, OptionalLong.empty(), 0, 0);
        assertThatThrownBy(() -> share.reserve(60 * MIB)).hasMessageContaining("80 % of what is free");

        assertThatThrownBy(() -> fixture.space.reserve(60 * MIB)).hasMessageContaining("raise it or remove files");
    }

    /** The folder was moved, with its holes filled, after the last stop had counted what it takes. */
    @Test
    void shouldNeverTakeLessThanNothing() {
        fixture.write(target(5), 0, new byte[(int) MIB]);
        fixture.space = new Space(fixture.files, fixture.clock, OptionalLong.of(fixture.capacity), 0, 4096);
        fixture.store = fixture.store(4);
        fixture.store.drop(name(5));

        assertThat(fixture.space.report().getUsed()).isZero();
        assertThat(fixture.space.report().getAvailable()).isEqualTo(fixture.capacity);
        assertThat(fixture.space.usedByReplicas()).isZero();
    }

    @Test
    void shouldKnowWhatIsUsedAfterARestart() {
        fixture.write(target(5), 0, new byte[(int) MIB]);
        fixture.write(target(6), 0, "x");
        fixture.restart();
        assertThat(fixture.space.used()).isEqualTo(MIB + 4096);
        fixture.write(target(6), 0, "y");
        assertThat(fixture.space.used()).isEqualTo(MIB + 4096);
    }
}
