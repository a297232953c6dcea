package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.beefs.cli.view.MountView.Desktop;
import org.beefs.cli.view.MountView.Mounted;
import org.beefs.common.metrics.Latencies;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.honeybee.cache.CacheCounts;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.junit.jupiter.api.Test;

class MountViewTest {
    private static final Mounted MOUNTED =
            new Mounted("desk1", "1.2", "/mnt/hive", Instant.parse("2026-11-24T15:00:00.5Z"), "native, 8 rings");

    @Test
    void shouldSayHowAMountDoes() {
        HoneycombSpace space = HoneycombSpace.newBuilder()
                .setUsed(2L << 30)
                .setAvailable(3L << 30)
                .build();
        Desktop desktop = new Desktop(true, 0, 7, new CacheCounts(300, 100, 50, 3), 1 << 20, space);
        SortedMap<String, Reading> times = new TreeMap<>();
        Latencies lookups = new Latencies();
        lookups.took(100_000);
        times.put("lookup", lookups.read());

        assertThat(MountView.text(MOUNTED, desktop, new Opens(3, 1), times)).isEqualTo("""
                BeeFS 1.2 on desk1, mounted at /mnt/hive since 2026-11-24T15:00:00Z

                queen-bee        connected
                driver           native, 8 rings
                open files       7 on this desktop
                names            300 known here, 100 asked for (75 %)
                opens            3 on this disk, 1 through the daemon (75 %)
                not yet written  1.0 MiB
                honeycomb        2.0 GiB used, 3.0 GiB available

                KERNEL ASKED  TIMES  HALF TOOK  99 % TOOK
                lookup            1  < 0.11 ms  < 0.11 ms
                """);
    }

    @Test
    void shouldSayWhatItWaitsFor() {
        Desktop desktop = new Desktop(false, 12, 0, new CacheCounts(0, 0, 0, 0), 0, null);

        assertThat(MountView.text(MOUNTED, desktop, Opens.NONE, Collections.emptySortedMap()))
                .contains("queen-bee        cannot be reached; 12 calls wait for her\n")
                .contains("names            none yet\n")
                .contains("honeycomb        none on this desktop\n")
                .doesNotContain("KERNEL");
    }
}
