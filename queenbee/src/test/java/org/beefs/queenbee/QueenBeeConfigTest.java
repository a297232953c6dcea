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
                        /* listen= */ Addresses.parse("127.0.0.1:7411"),
                        /* state= */ Path.of("state"),
                        /* lease= */ Duration.ofSeconds(30),
                        /* fenceMargin= */ Duration.ofSeconds(5),
                        /* heartbeat= */ Duration.ofSeconds(2),
                        /* cacheTime= */ Duration.ofSeconds(4),
                        /* recallTimeout= */ Duration.ofSeconds(5),
                        /* flushInterval= */ Duration.ofMillis(50),
                        /* placementRoom= */ ByteSize.parse("1M"),
                        /* passLimit= */ 256,
                        /* maxQueued= */ 65_536,
                        /* maxParked= */ 10_000,
                        /* maxSessions= */ 10_000,
                        /* maxLeases= */ 262_144,
                        /* maxOpenFiles= */ 1_000_000,
                        /* maxAnswers= */ 65_536,
                        /* errandBatch= */ 1000,
                        /* errandDeadline= */ Duration.ofSeconds(30),
                        /* sealDelay= */ Duration.ofSeconds(5),
                        /* replicas= */ 3,
                        /* timeToCoherence= */ Duration.ofSeconds(30),
                        /* graceTime= */ Duration.ofDays(4),
                        /* checkpointDistance= */ Duration.ofMinutes(5),
                        /* copyBudget= */ ByteSize.parse("1G"),
                        /* lowWater= */ 5,
                        /* highWater= */ 10,
                        /* replicateOnRead= */ 0,
                        /* relocateAtRandom= */ false,
                        /* acceptOlderState= */ false));
    }

    @Test
    void shouldRefuseACacheTimeThatOutlivesARecall() {
        assertThatThrownBy(() -> TestConfig.withCacheTime(Duration.ofSeconds(5)))
                .hasMessage("cache-time is 5s, and must be between 1ms and 4500ms");
    }
}
