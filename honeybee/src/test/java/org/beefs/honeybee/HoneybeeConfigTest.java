package org.beefs.honeybee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.junit.jupiter.api.Test;

class HoneybeeConfigTest {
    private static final InetSocketAddress QUEEN = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void shouldHaveTheseDefaults() {
        assertThat(HoneybeeConfig.of(QUEEN, PATIENCE))
                .isEqualTo(new HoneybeeConfig(
                        QUEEN,
                        PATIENCE,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(120),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(1),
                        Duration.ofHours(1),
                        1024,
                        16_384,
                        131_072,
                        256,
                        16,
                        64 << 20,
                        131_072,
                        262_144));
    }

    @Test
    void shouldRefuseTimesThatAreNone() {
        assertThatThrownBy(() -> HoneybeeConfig.of(QUEEN, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("patience");
    }

    @Test
    void shouldNotBreakALinkWithTheContentOfAllTransfers() {
        int header = 4096;

        assertThat(HoneybeeConfig.MOST_TRANSFERS * (long) (Frame.MAX_PAYLOAD + header))
                .isLessThan(Link.CONGESTED_BYTES);
        assertThat(HoneybeeConfig.of(QUEEN, PATIENCE).maxTransfers())
                .isLessThanOrEqualTo(HoneybeeConfig.MOST_TRANSFERS);
    }

    @Test
    void shouldFitAllOpenFilesIntoOneMessage() {
        assertThat(HoneybeeConfig.MOST_OPEN_FILES * 26).isLessThan(Frame.MAX_MESSAGE);
    }
}
