package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.common.linux.Inodes;
import org.beefs.common.log.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A disk that fills is noticed in time, and one that is only small is left in peace. */
class StateDiskTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private final LogLines log = new LogLines(StateDisk.class.getName());
    private DiskSpace present = DiskSpace.UNKNOWN;
    private final StateDisk disk = new StateDisk(Path.of("/srv/state"), () -> present);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void shouldWarnOnceWhenLittleIsFreeAndAgainAfterThereWasRoom() {
        look(100 * GIB, 2 * GIB);
        assertThat(log.warnings()).isEmpty();

        look(100 * GIB, 812 * MIB);
        look(100 * GIB, 700 * MIB);
        assertThat(log.warnings())
                .containsExactly("only 812.0 MiB are free on the disk of /srv/state: the hive stops when it is full");

        look(100 * GIB, 2 * GIB);
        look(100 * GIB, 0);
        assertThat(log.warnings()).hasSize(2).last().asString().startsWith("only 0 B are free");
    }

    @Test
    void shouldWarnWhenHardlyAnyInodesAreFree() {
        present = new DiskSpace(100 * GIB, 90 * GIB, new Inodes(6_553_600, 512));
        disk.look();

        assertThat(log.warnings())
                .containsExactly("only 512 inodes are free on the disk of /srv/state: the hive stops when it is full");
    }

    @Test
    void shouldTellWhatItHasSeenLast() {
        assertThat(disk.space()).isEqualTo(DiskSpace.UNKNOWN);

        look(3 * GIB, 2 * GIB);

        assertThat(disk.space()).isEqualTo(space(3 * GIB, 2 * GIB));
    }

    @Test
    void shouldNotExpectOfASmallDiskWhatItCannotHave() {
        assertThat(space(5000 * GIB, GIB).hasLittleRoom()).isFalse();
        assertThat(space(5000 * GIB, GIB - 1).hasLittleRoom()).isTrue();
        assertThat(space(2000 * MIB, 500 * MIB).hasLittleRoom()).isFalse();
        assertThat(space(2000 * MIB, 300 * MIB).hasLittleRoom()).isTrue();
        assertThat(space(500 * MIB, 490 * MIB).hasLittleRoom()).isFalse();
    }

    @Test
    void shouldNotWarnOfWhatItDoesNotKnow() {
        disk.look();

        assertThat(disk.space().hasLittleRoom()).isFalse();
        assertThat(log.warnings()).isEmpty();
    }

    private static DiskSpace space(long capacity, long available) {
        return new DiskSpace(capacity, available, Inodes.UNLIMITED);
    }

    private void look(long capacity, long available) {
        present = space(capacity, available);
        disk.look();
    }
}
