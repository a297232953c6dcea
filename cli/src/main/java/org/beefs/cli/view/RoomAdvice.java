package org.beefs.cli.view;

import java.util.List;
import java.util.Optional;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;

/** Says why nothing can be stored in a hive, and what helps. */
public final class RoomAdvice {
    private static final String RESERVED = """
            Nothing can be stored: the honeycombs' disks have no more free than stays there for their owners.
            Free some space, or set a smaller  reserve = "100M"  in the table [honeycomb] of %s
            (without it 5 %% of the disk stay free, at least 1 GiB), and start the hive again with  down  and  up.
            """;

    private static final String USED = """
            Nothing can be stored: the honeycombs hold as much as they may.
            Remove files, or set a larger  capacity  in the table [honeycomb] of %s,
            and start the hive again with  down  and  up.
            """;

    private RoomAdvice() {}

    /** Nothing while a honeycomb has room, or none is there. */
    public static Optional<String> of(StatusReport report) {
        List<HoneycombStatus> there =
                report.honeycombs().stream().filter(HoneycombStatus::connected).toList();
        if (there.isEmpty() || there.stream().anyMatch(honeycomb -> honeycomb.available() > 0)) {
            return Optional.empty();
        }
        String advice = there.stream().anyMatch(HoneycombStatus::hasOnlyReserveLeft) ? RESERVED : USED;
        return Optional.of(advice.formatted(report.state() + "/DESKTOP/desktop.toml"));
    }
}
