package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.lock.Locker;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** {@code beefs trace} says what hangs, and one id leads through the logs of all roles. */
@InHive
@Requires(programs = "python3")
class TraceIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void shouldSayThatACallWaitsForAStoppedQueenBee(Hives hives) {
        Hive hive = hives.create(1);
        Role queenBee = hive.queenBee();
        queenBee.stop();
        try (RunningProgram hanging = Program.of(
                                "mkdir", hive.mount().resolve("new").toString())
                        .start();
                RunningProgram trace =
                        hive.beefs("trace", hive.mount() + "/new").start();
                RunningProgram ofProcess =
                        hive.beefs("trace", Long.toString(hanging.pid())).start()) {
            awaitLine(
                    trace,
                    "new .* waits since .* for the queen-bee, who does not answer|a connection with the queen-bee");
            awaitLine(ofProcess, "thread " + hanging.pid() + "  waits since .* the queen-bee");

            queenBee.resume();

            awaitLine(trace, "mkdir .* ok");
            assertThat(hanging.await(SOON).succeeded()).isTrue();
        }
    }

    @Test
    void shouldSayWhichDesktopDoesNotLetGoAndLeadThroughAllLogs(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.down();
        // On a busy machine the stopped desktop would soon be given up, before a program has started.
        Files.writeString(
                hive.queenBee().folder().resolve("queenbee.toml"),
                "recall-timeout = \"8s\"\ncache-time = \"7s\"\n",
                StandardOpenOption.APPEND);
        hive.beefs("up", hive.mount().toString(), "--desktops", "2", "--driver", "native")
                .with("BEEFS_LOG", "DEBUG")
                .run();
        Path there = hive.mountOn("desktop2");
        Role holder = hive.desktop(2);
        try (RunningProgram trace = traced(hive, hive.mount())) {
            Program.of("ls", "-la", there.toString()).run();
            holder.stop();

            try (RunningProgram waiting =
                    Program.of("mkdir", hive.mount().resolve("new").toString()).start()) {
                awaitLine(trace, "mkdir .* for the queen-bee, who waits for desktop2.* to let go of what it caches");
                holder.resume();
                assertThat(waiting.await(SOON).succeeded()).isTrue();
            }
            awaitLine(trace, "mkdir .* ok");
            String request = request(trace, "mkdir .* waits since");
            for (Role role : hive.roles()) {
                Await.until(
                        SOON,
                        () -> role.name() + " logs " + request,
                        () -> role.log().contains(request));
            }
        }
    }

    @Test
    void shouldSayWhichHoneycombDoesNotAnswer(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path there = hive.mountOn("desktop2");
        hive.beefs("set", hive.mount().toString(), "--replicas", "1").run();
        Files.write(there.resolve("remote"), new byte[1 << 20]);
        Path file = hive.mount().resolve("remote");
        Role holder = hive.desktop(2);
        try (RunningProgram trace = traced(hive, file)) {
            holder.stop();

            try (RunningProgram waiting = Program.of("cat", file.toString()).start()) {
                awaitLine(trace, "read .* waits since .* the honeycomb of desktop2");
                holder.resume();
                assertThat(waiting.await(SOON).succeeded()).isTrue();
            }
        }
    }

    @Test
    void shouldSayWhoHasALock(Hives hives) {
        Hive hive = hives.create(2);
        Path file = hive.mount().resolve("locked");
        try (Locker here = Locker.with(file);
                Locker there = Locker.with(hive.mountOn("desktop2").resolve("locked"));
                RunningProgram trace = traced(hive, file)) {
            there.ask("lock record try f exclusive 0 10");
            here.begin("lock record wait f exclusive 0 10");

            awaitLine(trace, "setlk .* for a lock that process " + there.pid() + " on desktop2 has");

            there.ask("lock record try f unlocked 0 10");
            assertThat(here.answer()).isEqualTo("done");
            awaitLine(trace, "setlk .* ok");
        }
    }

    /** The only way to many a hive: a link in somebody's home. */
    @Test
    void shouldFindAFileThroughALinkToTheHive(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path link = Files.createSymbolicLink(hive.scratch().resolve("link"), hive.mount());

        try (RunningProgram trace = traced(hive, link.resolve("file"))) {
            assertThat(trace.errorsSoFar()).isEmpty();
        }
    }

    /** A trace that has begun to watch. */
    private static RunningProgram traced(Hive hive, Path path) {
        RunningProgram trace = hive.beefs("trace", path.toString()).start();
        return trace.when(SOON, () -> "the trace shows something: " + trace.errorsSoFar(), () -> {
            Program.of("stat", path.toString()).runToAnyEnd();
            Program.of("ls", path.toString()).runToAnyEnd();
            Program.of("touch", path.toString()).runToAnyEnd();
            return !trace.outputSoFar().isEmpty();
        });
    }

    private static void awaitLine(RunningProgram trace, String pattern) {
        Await.until(
                SOON,
                () -> "a line with " + pattern + " in\n" + trace.outputSoFar() + trace.errorsSoFar(),
                () -> Pattern.compile(pattern).matcher(trace.outputSoFar()).find());
    }

    private static String request(RunningProgram trace, String pattern) {
        Matcher line =
                Pattern.compile(pattern + ".*\\(request ([0-9a-f]{16})\\)").matcher(trace.outputSoFar());
        assertThat(line.find()).isTrue();
        return line.group(1);
    }
}
