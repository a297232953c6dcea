package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.junit.jupiter.api.Test;

class RoomAdviceTest {
    /** As on disks smaller than what stays free for their owners. */
    @Test
    void shouldTellOfTheReserveWhereItLeavesNothing() {
        assertThat(RoomAdvice.of(report(honeycomb(true, 100, 0, 0), honeycomb(false, 100, 0, 100))))
                .hasValueSatisfying(advice -> assertThat(advice)
                        .startsWith("Nothing can be stored: the honeycombs' disks have no more free than stays")
                        .contains("/srv/hive/DESKTOP/desktop.toml"));
        assertThat(StatusView.remark(honeycomb(true, 100, 0, 0))).isEqualTo("only its owner's reserve is free");
    }

    @Test
    void shouldTellOfTheCapacityThatIsUsedUp() {
        assertThat(RoomAdvice.of(report(honeycomb(true, 100, 100, 0))))
                .hasValueSatisfying(advice -> assertThat(advice)
                        .startsWith("Nothing can be stored: the honeycombs hold as much as they may"));
        assertThat(StatusView.remark(honeycomb(true, 100, 100, 0))).isEmpty();
    }

    @Test
    void shouldSayNothingWhileThereIsRoomOrNobody() {
        assertThat(RoomAdvice.of(report(honeycomb(true, 100, 0, 0), honeycomb(true, 100, 0, 1))))
                .isEmpty();
        assertThat(RoomAdvice.of(report(honeycomb(false, 100, 0, 0)))).isEmpty();
        assertThat(RoomAdvice.of(report())).isEmpty();
    }

    private static StatusReport report(HoneycombStatus... honeycombs) {
        return new StatusReport("/srv/hive", List.of(), Stream.of(honeycombs).toList(), List.of(), null);
    }

    private static HoneycombStatus honeycomb(boolean connected, long capacity, long used, long available) {
        return new HoneycombStatus(
                "desktop1",
                "u",
                "127.0.0.1:1",
                connected,
                capacity,
                used,
                available,
                0,
                0,
                0,
                "awake",
                0,
                null,
                0,
                0.5,
                "idle",
                null,
                0,
                List.of());
    }
}
