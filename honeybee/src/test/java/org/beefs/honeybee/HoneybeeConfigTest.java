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
                        /* queenbee= */ QUEEN,
                        /* patience= */ PATIENCE,
                        /* queenDeadline= */ Duration.ofSeconds(10),
                        /* dataDeadline= */ Duration.ofSeconds(10),
                        /* syncDeadline= */ Duration.ofSeconds(120),
                        /* statusPatience= */ Duration.ofSeconds(5),
                        /* mountPatience= */ Duration.ofSeconds(1),
                        /* releasePatience= */ Duration.ofHours(1),
                        /* maxChanges= */ 1024,
                        /* maxWaitingChanges= */ 16_384,
                        /* maxOpenFiles= */ 131_072,
                        /* maxConnections= */ 256,
                        /* maxTransfers= */ 16,
                        /* maxHeldBack= */ 64 << 20,
                        /* maxCachedNodes= */ 131_072,
                        /* maxCachedEntries= */ 262_144));
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
