package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.ConfigurationException;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.common.linux.Inodes;
import org.beefs.honeycomb.disk.DiskSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoneycombConfigTest {
    private static final long GIB = 1L << 30;

    @Test
    void shouldHaveTheseDefaults() {
        assertThat(HoneycombConfig.defaults())
                .isEqualTo(new HoneycombConfig(
                        /* folder= */ Path.of("honeycomb"),
                        /* listen= */ new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        /* advertise= */ Optional.empty(),
                        /* capacity= */ Optional.empty(),
                        /* reserve= */ Optional.empty(),
                        /* openFiles= */ 512,
                        /* threads= */ 4,
                        /* copyRate= */ ByteSize.parse("64M"),
                        /* scrubPeriod= */ Duration.ofDays(14),
                        /* scrubRate= */ ByteSize.parse("16M")));
    }

    @Test
    void shouldKeepATwentiethOfTheDisk() {
        HoneycombConfig config = HoneycombConfig.defaults();
        assertThat(config.capacityBytes()).as("a share of what is free").isEmpty();
        assertThat(config.reserve(disk(1000 * GIB, 300 * GIB))).isEqualTo(50 * GIB);
        assertThat(config.reserve(disk(4 * GIB, 4 * GIB))).isEqualTo(GIB);
    }

    private static DiskSpace disk(long total, long free) {
        return new DiskSpace(total, free, Inodes.UNLIMITED);
    }

    @Test
    void shouldBeReadFromAConfiguration() {
        HoneycombConfig config = ConfigurationFile.read(
                null,
                HoneycombConfig.class,
                Map.of(
                        "folder", "/srv/hive",
                        "listen", "0.0.0.0:7412",
                        "advertise", "desk4.example.org",
                        "capacity", "10G",
                        "reserve", "512M",
                        "threads", "8",
                        "copy-rate", "16M",
                        "scrub-period", "7d",
                        "scrub-rate", "4M"));
        assertThat(config)
                .isEqualTo(new HoneycombConfig(
                        Path.of("/srv/hive"),
                        new InetSocketAddress("0.0.0.0", 7412),
                        Optional.of("desk4.example.org"),
                        Optional.of(new ByteSize(10 * GIB)),
                        Optional.of(new ByteSize(GIB / 2)),
                        512,
                        8,
                        new ByteSize(GIB / 64),
                        Duration.ofDays(7),
                        new ByteSize(GIB / 256)));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "desk4.example.org:7412", "[2001:db8::1]", "desk 4"})
    void shouldSayWhatOthersAreToBeTold(String advertise) {
        assertThatThrownBy(() -> ConfigurationFile.read(null, HoneycombConfig.class, Map.of("advertise", advertise)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("advertise must be a host's name or address, without a port");
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        for (Map<String, String> wrong : List.of(
                Map.of("threads", "0"),
                Map.of("copy-rate", "1k"),
                Map.of("scrub-rate", "1k"),
                Map.of("scrub-period", "1s"),
                Map.of("open-files", "0"),
                Map.of("capacity", "much"),
                Map.of("colour", "yellow"))) {
            assertThatThrownBy(() -> ConfigurationFile.read(null, HoneycombConfig.class, wrong))
                    .as(wrong.toString())
                    .isInstanceOf(ConfigurationException.class);
        }
    }
}
