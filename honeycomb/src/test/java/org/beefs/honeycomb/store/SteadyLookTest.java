package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.target;

import java.time.Duration;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

class SteadyLookTest {
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldRefuseWhatWasChangedWithinTheLastSecond() {
        fixture.write(target(5), 0, "honey");
        fixture.timers.advance(Duration.ofMillis(900));
        assertThat(errnoOf(this::look)).isEqualTo(Errno.EAGAIN);
    }

    @Test
    void shouldTakeLessForQuietWhenSomebodyWaits() {
        fixture.write(target(5), 0, "honey");
        fixture.timers.advance(Duration.ofMillis(60));
        assertThat(fixture.store.steady(target(5), Duration.ofMillis(50)).join().getSize())
                .isEqualTo(5);
    }

    @Test
    void shouldRefuseToCallQuietWhatMayHaveBeenChangedWithinATick() {
        fixture.write(target(5), 0, "honey");
        fixture.timers.advance(Duration.ofSeconds(2));
        assertThat(errnoOf(() ->
                        fixture.store.steady(target(5), Duration.ofMillis(5)).join()))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldBringWhatItShowsToDisk() {
        fixture.write(target(5), 0, "honey");
        fixture.timers.advance(Duration.ofSeconds(2));

        assertThat(look().getSize()).isEqualTo(5);
        assertThat(fixture.disk.look()).extracting(MemoryDisk.Lying::synced).containsOnly(true);
    }

    @Test
    void shouldLetALaterStoreThroughAMappingMoveCtime() {
        fixture.write(target(5), 0, "honey");
        int descriptor = descriptor();
        try (var mapping = fixture.disk.openOutside(descriptor, true)) {
            mapping.store(0, new byte[] {'H'});
            fixture.timers.advance(Duration.ofSeconds(2));
            ReplicaStatus before = look();

            mapping.store(1, new byte[] {'O'});

            assertThat(fixture.status(target(5)).getCtime()).isNotEqualTo(before.getCtime());
        }
    }

    @Test
    void shouldFindQuietByTheBootClockWhatWasChangedByAClockThatWasAhead() {
        fixture.write(target(5), 0, "honey");
        fixture.clock.setBack(Duration.ofHours(1));
        assertThat(errnoOf(this::look)).isEqualTo(Errno.EAGAIN);

        fixture.timers.advance(Duration.ofMillis(999));
        assertThat(errnoOf(this::look)).isEqualTo(Errno.EAGAIN);

        fixture.timers.advance(Duration.ofMillis(1));
        assertThat(look().getSize()).isEqualTo(5);
    }

    @Test
    void shouldRefuseWhatWasChangedSinceTheFirstLookAfterAClockWasSetBack() {
        fixture.write(target(5), 0, "honey");
        fixture.clock.setBack(Duration.ofHours(1));
        assertThat(errnoOf(this::look)).isEqualTo(Errno.EAGAIN);
        fixture.write(target(5), 0, "HONEY");
        fixture.timers.advance(QUIET);

        assertThat(errnoOf(this::look)).isEqualTo(Errno.EAGAIN);

        fixture.timers.advance(QUIET);
        assertThat(look().getSize()).isEqualTo(5);
    }

    @Test
    void shouldFailWhereTheDiskDoes() {
        fixture.write(target(5), 0, "honey");
        fixture.timers.advance(Duration.ofSeconds(2));
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);
        assertThat(errnoOf(this::look)).isEqualTo(Errno.EIO);
    }

    private int descriptor() {
        try (ReplicaFile file = Objects.requireNonNull(fixture.files.open(new ReplicaId(5, 0)))) {
            return file.descriptor();
        }
    }

    private ReplicaStatus look() {
        return fixture.store.steady(target(5), QUIET).join();
    }
}
