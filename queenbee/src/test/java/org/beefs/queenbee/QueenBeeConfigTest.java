package org.beefs.queenbee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.testing.TestConfig;
import org.junit.jupiter.api.Test;

class QueenBeeConfigTest {
    @Test
    void shouldHaveTheseDefaults() {
        assertThat(QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("state")))
                .isEqualTo(new QueenBeeConfig(
                        Addresses.parse("127.0.0.1:7411"),
                        Path.of("state"),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(50),
                        ByteSize.parse("1M"),
                        256,
                        65_536,
                        10_000,
                        10_000,
                        262_144,
                        1_000_000,
                        65_536,
                        1000,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        3,
                        Duration.ofSeconds(30),
                        Duration.ofDays(4),
                        Duration.ofMinutes(5),
                        ByteSize.parse("1G"),
                        5,
                        10,
                        0,
                        false,
                        false));
    }

    @Test
    void shouldRefuseACacheTimeThatOutlivesARecall() {
        assertThatThrownBy(() -> TestConfig.withCacheTime(Duration.ofSeconds(5)))
                .hasMessage("the cache time is 5000 ms, and must be between 1 and 4500 ms");
    }
}
