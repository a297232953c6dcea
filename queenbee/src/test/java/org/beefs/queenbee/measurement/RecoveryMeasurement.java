package org.beefs.queenbee.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.linux.SystemClock;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.recovery.HiveRecovery;
import org.beefs.queenbee.recovery.RecoveryReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long the recovery of a large hive takes, to RocksDB on disk; the catalogs are generated in the same process. The
 * figures are printed, for twice, and for half as many inodes too, which shows whether time grows linearly.
 *
 * <p>{@code -Dtest=RecoveryMeasurement -Dbeefs.inodes=1000000}
 */
@EnabledIfSystemProperty(named = "beefs.inodes", matches = "\\d+")
class RecoveryMeasurement {
    private static final int HONEYCOMBS = 10;

    @TempDir
    private Path temporary;

    @Test
    void shouldRecoverInLinearTime() throws IOException {
        long inodes = Long.getLong("beefs.inodes");
        for (long size : List.of(inodes / 4, inodes / 2, inodes)) {
            recover(size);
        }
    }

    private void recover(long inodes) throws IOException {
        List<GeneratedRecords> catalogs = new ArrayList<>();
        for (int i = 0; i < HONEYCOMBS; i++) {
            catalogs.add(new GeneratedRecords(i, HONEYCOMBS, inodes));
        }
        long began = System.nanoTime();
        try (RocksStateStore store = RocksStateStore.openForRecovery(temporary.resolve("of " + inodes))) {
            RecoveryReport report = HiveRecovery.run(store, new SystemClock(), catalogs, 0);
            System.out.printf(
                    "recovery of %d inodes from %d honeycombs: %d ms%n",
                    inodes, HONEYCOMBS, (System.nanoTime() - began) / 1_000_000);
            assertThat(report.inodes()).isEqualTo(inodes + 1);
            assertThat(report.lostAndFound()).isEmpty();
        }
    }
}
