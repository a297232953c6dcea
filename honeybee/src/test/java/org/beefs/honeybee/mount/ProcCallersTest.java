package org.beefs.honeybee.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ManualClock;
import org.beefs.honeybee.mount.Callers.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcCallersTest {
    private static final String STATUS = """
            Name:\tGroups: 1\\nGroups:\t666
            Umask:\t0022
            Uid:\t1000\t1000\t1000\t1000
            Groups:\t4 24 4294967294\s
            NStgid:\t7
            SigPnd:\t0000000000000000
            ShdPnd:\t%016x
            SigBlk:\t0000000000000100
            """;

    private static final int SELF = (int) ProcessHandle.current().pid();

    private final ManualClock clock = new ManualClock();

    @Test
    void shouldFindSupplementaryGroups() {
        assertThat(ProcCallers.groups(STATUS.formatted(0))).containsExactly(4, 24, (int) 4294967294L);
        assertThat(ProcCallers.groups("Name:\tx\nGroups:\t \n")).isEmpty();
        assertThat(ProcCallers.groups("")).isEmpty();
    }

    @Test
    void shouldTellWhoIsBeingKilled() {
        assertThat(ProcCallers.state(STATUS.formatted(0))).isEqualTo(State.ALIVE);
        assertThat(ProcCallers.state(STATUS.formatted(0x4200))).isEqualTo(State.ALIVE);
        assertThat(ProcCallers.state(STATUS.formatted(0x100))).isEqualTo(State.BEING_KILLED);
        assertThat(ProcCallers.state(STATUS.formatted(0).replace("SigPnd:\t00000000000000", "SigPnd:\t00000000000001")))
                .isEqualTo(State.BEING_KILLED);
        assertThat(ProcCallers.state("")).isEqualTo(State.GONE);
    }

    @Test
    void shouldReadTheSystemsFiles() {
        ProcCallers callers = new ProcCallers(clock);

        assertThat(callers.state(SELF)).isEqualTo(State.ALIVE);
        assertThat(callers.state(0)).isEqualTo(State.ALIVE);
        assertThat(callers.state(Integer.MAX_VALUE)).isEqualTo(State.GONE);
        assertThat(callers.credentials(0, 3, SELF).getGroupsList()).isEmpty();
        assertThat(callers.credentials(1000, 1001, Integer.MAX_VALUE))
                .satisfies(caller -> assertThat(caller.getUid()).isEqualTo(1000))
                .satisfies(caller -> assertThat(caller.getGid()).isEqualTo(1001))
                .satisfies(caller -> assertThat(caller.getGroupsList()).isEmpty());
    }

    /** As those outside of the container that this process is in. */
    @Test
    void shouldTellOnceThatCallersHaveNoNumberHere() {
        ProcCallers callers = new ProcCallers(clock);
        try (LogLines log = new LogLines(ProcCallers.class.getName())) {
            assertThat(callers.credentials(0, 0, 0).getGroupsList()).isEmpty();
            assertThat(log.warnings()).as("root needs no groups").isEmpty();

            assertThat(callers.credentials(1000, 1001, 0).getGroupsList()).isEmpty();
            assertThat(callers.credentials(1002, 1003, 0).getGroupsList()).isEmpty();

            assertThat(log.warnings()).singleElement().asString().contains("programs outside of this container");
        }
    }

    /** Too many open files say nothing of who asks. */
    @ParameterizedTest
    @EnumSource(names = {"EMFILE", "ENFILE", "ENOMEM"})
    void shouldNotTakeAThreadForGoneThatItCannotLookAt(Errno failure) {
        ProcCallers callers = new ProcCallers(clock, (path, flags, mode) -> -failure.number());

        assertThat(callers.state(SELF)).isEqualTo(State.ALIVE);
        assertThat(callers.isExiting(SELF)).isFalse();
        assertThat(callers.credentials(0, 0, SELF).getGroupsList())
                .as("root needs none")
                .isEmpty();
        try (LogLines log = new LogLines(ProcCallers.class.getName())) {
            assertFailsWithEnfile(callers, SELF);
            assertFailsWithEnfile(callers, SELF);
            assertThat(log.warnings()).hasSize(1);
            clock.advance(Duration.ofMinutes(1));
            assertFailsWithEnfile(callers, SELF);
            assertThat(log.warnings()).hasSize(2);
        }
    }

    private static void assertFailsWithEnfile(ProcCallers callers, int pid) {
        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> callers.credentials(1000, 1001, pid))
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(Errno.ENFILE));
    }

    @ParameterizedTest
    @EnumSource(names = {"ENOENT", "EACCES"})
    void shouldTakeAThreadForGoneOfWhichNothingIsShown(Errno failure) {
        ProcCallers callers = new ProcCallers(clock, (path, flags, mode) -> -failure.number());

        assertThat(callers.state(Integer.MAX_VALUE)).isEqualTo(State.GONE);
        assertThat(callers.credentials(1000, 1001, Integer.MAX_VALUE).getGroupsList())
                .isEmpty();
    }

    /** As where /proc is mounted with hidepid. */
    @ParameterizedTest
    @EnumSource(names = {"ENOENT", "EACCES"})
    void shouldNotTakeAThreadForGoneThatIsOnlyHidden(Errno failure) {
        ProcCallers callers = new ProcCallers(clock, (path, flags, mode) -> -failure.number());

        assertThat(callers.state(SELF)).isEqualTo(State.ALIVE);
        assertThat(callers.isExiting(SELF)).isFalse();
        assertFailsWithEnfile(callers, SELF);
    }

    @Test
    void shouldReadGroupsBeyondTheFirstPiece() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may give a process groups");
        List<Integer> groups = IntStream.range(100_000, 101_000).boxed().toList();
        String list = groups.stream().map(String::valueOf).collect(Collectors.joining(","));
        Process many = new ProcessBuilder("setpriv", "--groups", list, "sh", "-c", "echo ready; exec sleep 60").start();
        try (BufferedReader output = many.inputReader()) {
            assertThat(output.readLine()).isEqualTo("ready");

            assertThat(new ProcCallers(clock)
                            .credentials(1000, 1001, (int) many.pid())
                            .getGroupsList())
                    .containsExactlyElementsOf(groups);
        } finally {
            many.destroyForcibly();
        }
    }
}
