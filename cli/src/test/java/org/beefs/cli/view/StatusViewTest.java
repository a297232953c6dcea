package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.control.DaemonStatus.ScrubStatus;
import org.beefs.cli.view.StatusReport.MountStatus;
import org.beefs.cli.view.StatusReport.ProcessStatus;
import org.beefs.common.linux.Inodes;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.beefs.queenbee.journal.DiskSpace;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class StatusViewTest {
    private static final StatusReport REPORT = new StatusReport(
            "/srv/hive",
            List.of(
                    new ProcessStatus(
                            "queenbee",
                            "queenbee",
                            "running",
                            10L,
                            "127.0.0.1:7001",
                            "0.1.0",
                            "/srv/hive/queenbee",
                            ""),
                    new ProcessStatus("desktop1", "desktop", "stopped", null, null, null, "/srv/hive/desktop1", "")),
            List.of(new HoneycombStatus(
                    "desktop1",
                    "u",
                    "127.0.0.1:7002",
                    false,
                    10L << 30,
                    1L << 20,
                    5L << 30,
                    0,
                    0,
                    0,
                    "asleep",
                    7300,
                    new DrainView(true, 9, 1, 0, 0, List.of(), 0, 0, false, false),
                    3600,
                    0.25,
                    "active",
                    new ScrubStatus(true, null, 7, 1, null, 2, 1, 1),
                    1,
                    List.of("desk9"))),
            List.of(new MountStatus("/mnt/hive", "desktop1", false, Map.of(), true, false)),
            new HiveSummary(
                    "abc",
                    3,
                    42,
                    1,
                    0,
                    2,
                    1,
                    0,
                    0,
                    4,
                    5,
                    6,
                    7 << 20,
                    1 << 20,
                    7L,
                    30L << 30,
                    20L << 30,
                    "it waits",
                    70,
                    2,
                    9,
                    "2026-11-22T07:00:00Z",
                    List.of("desktop2"),
                    new DiskSpace(100L << 30, 812L << 20, Inodes.UNLIMITED)));

    @Test
    void shouldShowProcessesHoneycombsAndMounts() {
        assertThat(StatusView.render(REPORT)).isEqualTo("""
                        Hive in /srv/hive: 42 files and folders, 1 file being written, 0 replicas to be removed, 3 to be copied (4 files have too few current replicas, 5 replicas are stale; 7.0 MiB to copy at 1.0 MiB/s, about 7s)
                        It is read-only: it waits
                        Only 812.0 MiB are free on the queen-bee's own disk: the hive stops when it is full. Free some space there, or move her state to a larger disk
                        Its queen-bee's data is older than what these desktops know, which are refused: desktop2
                        Either move the state's folder away and rebuild it from the honeycombs: with the unit beefs-recovery, as 'Rebuilding the queen-bee' in docs/OPERATIONS.md has it, or, for a hive made by up, with  beefs recover;  or give up what only they know: write  accept-older-state = true  into the table [queenbee] of her queenbee.toml, start her again, and take it out when all desktops are there
                        70 replicas were compared with what the queen-bee knows, the last at 2026-11-22T07:00:00Z; 2 files were healed, 9 records renewed

                        PROCESS   CONDITION  PID  ADDRESS         VERSION
                        queenbee  running     10  127.0.0.1:7001  0.1.0
                        desktop1  stopped      -  -               -

                        HONEYCOMB OF  CAPACITY     USED  AVAILABLE  ADDRESS
                        desktop1      10.0 GiB  1.0 MiB    5.0 GiB  127.0.0.1:7002  asleep for 2h, paused for 60m, user active, draining, 9 replicas left, scrubbing, 7 replicas read, 2 rotten replicas, 1 of them cannot be replaced now, 1 missing replica that cannot be replaced now, 1 earlier folder is away: beefs lost desktop1 gives it up, cannot copy from desk9

                        MOUNT      DESKTOP
                        /mnt/hive  desktop1  read-only, not mounted
                        """);
    }

    @Test
    void shouldShowWhatADrainWaitsFor() {
        assertThat(remark(new DrainView(false, 0, 0, 0, 0, List.of(), 0, 0, false, false)))
                .isEqualTo("draining");
        assertThat(remark(new DrainView(true, 9, 1, 2, 1, List.of(), 3, 4, false, false)))
                .isEqualTo("draining, 9 replicas left, 2 of them in use, 1 of them without another place");
        assertThat(remark(new DrainView(true, 0, 0, 0, 0, List.of(), 3, 4, false, false)))
                .isEqualTo("draining, 3 replicas still to be removed there");
        assertThat(remark(new DrainView(true, 0, 0, 0, 0, List.of(), 0, 1, false, false)))
                .isEqualTo("draining, 1 desktop has yet to write down its records");
        assertThat(remark(new DrainView(true, 0, 0, 0, 0, List.of(), 0, 0, true, false)))
                .isEqualTo("drained");
    }

    private static String remark(DrainView drain) {
        return StatusView.remark(new HoneycombStatus(
                "desktop1", "u", "", true, 2, 1, 1, 0, 0, 0, "awake", 0, drain, 0, 1, "idle", null, 0, List.of()));
    }

    /** A daemon that was started before its program was updated says less of itself. */
    @Test
    void shouldShowADaemonOfAnEarlierVersion() {
        DaemonStatus status = JsonMapper.shared().readValue("""
                        {"name": "queenbee", "hive": {"inodes": 42},
                         "honeycombs": [{"desktop": "desktop1", "connected": true, "capacity": 1024, "drain": {}}]}""", DaemonStatus.class);

        assertThat(StatusView.render(
                        new StatusReport("/srv/hive", List.of(), status.honeycombs(), List.of(), status.hive())))
                .startsWith("Hive in /srv/hive: 42 files and folders, ")
                .doesNotContain("disk", "null")
                .contains("desktop1       1.0 KiB", "draining");
        assertThat(JsonMapper.shared().readValue("{\"capacity\": 5, \"available\": 5}", DiskSpace.class))
                .isEqualTo(new DiskSpace(5, 5, Inodes.UNLIMITED));
    }

    @Test
    void shouldShowWhatUsersCanStoreAndWhatDesktopsGive() {
        HiveSummary hive = Objects.requireNonNull(REPORT.hive());
        assertThat(new SpaceReport(hive, REPORT.honeycombs()).render()).isEqualTo("""
                        FILES OF USERS  CAPACITY      USED  AVAILABLE
                        hive            30.0 GiB  10.0 GiB   20.0 GiB

                        REPLICAS ON  CAPACITY     USED  AVAILABLE
                        desktop1     10.0 GiB  1.0 MiB    5.0 GiB  asleep for 2h, paused for 60m, user active, draining, 9 replicas left, scrubbing, 7 replicas read, 2 rotten replicas, 1 of them cannot be replaced now, 1 missing replica that cannot be replaced now, 1 earlier folder is away: beefs lost desktop1 gives it up, cannot copy from desk9

                        (4 files have too few current replicas, 5 replicas are stale; 7.0 MiB to copy at 1.0 MiB/s, about 7s)
                        """);
    }

    /** Programs that use the mount hang then: who looks for the reason must not read that there is no mount. */
    @Test
    void shouldShowTheMountOfADaemonThatDoesNotAnswer() {
        assertThat(mounts("unresponsive", new MountStatus("/mnt/hive", "desktop1", false, Map.of(), false, true)))
                .endsWith("/mnt/hive  desktop1  in the mount table, but its daemon does not answer\n");
        assertThat(mounts("unresponsive", new MountStatus("/mnt/hive", "desktop1", false, Map.of(), false, false)))
                .endsWith("/mnt/hive  desktop1  not mounted\n");
    }

    @Test
    void shouldShowTheMountThatADaemonHasLeft() {
        assertThat(mounts("stopped", new MountStatus("/mnt/hive", "desktop1", false, Map.of(), true, true)))
                .endsWith("/mnt/hive  desktop1  read-only, in the mount table, but its daemon does not serve it\n");
    }

    /** What is written there goes elsewhere. */
    @Test
    void shouldShowThatAMountIsHidden() {
        assertThat(mounts("running", new MountStatus("/mnt/hive", "desktop1", true, Map.of(), false, false)))
                .endsWith("/mnt/hive  desktop1  served, but something else is seen there\n");
        assertThat(mounts("running", new MountStatus("/mnt/hive", "desktop1", true, Map.of(), false, true)))
                .doesNotContain("served");
    }

    private static String mounts(String condition, MountStatus mount) {
        return StatusView.render(new StatusReport(
                "/srv/hive",
                List.of(new ProcessStatus(
                        "desktop1", "desktop", condition, null, null, null, "/srv/hive/desktop1", "")),
                List.of(),
                List.of(mount),
                null));
    }

    @Test
    void shouldSayWhyADesktopHasNoConnection() {
        ProcessStatus refused = new ProcessStatus(
                "desktop1", "desktop", "disconnected", 7L, null, "1", "/srv/hive/desktop1", "it was forgotten");
        assertThat(StatusView.render(new StatusReport("/srv/hive", List.of(refused), List.of(), List.of(), null)))
                .endsWith("\ndesktop1 has no connection with the queen-bee: it was forgotten\n");
    }

    @Test
    void shouldNotCallAHiveRunningWhileADaemonIsStopped() {
        assertThat(REPORT.allRunning()).isFalse();
    }
}
