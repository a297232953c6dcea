package org.beefs.cli.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.daemon.SleepWatch.Programs;
import org.beefs.cli.process.Await;
import org.beefs.common.log.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What logind says is done, with programs that behave as logind's do. */
@Timeout(120)
class SleepWatchTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SIGNAL =
            "/org/freedesktop/login1: org.freedesktop.login1.Manager.PrepareForSleep (%s,)\n";

    @TempDir
    private Path folder;

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> rested = new CompletableFuture<>();
    private Path held;
    private Path pipe;
    private Programs programs;

    /** The signals come through a pipe; there is a file while the lock is held. */
    @BeforeEach
    void makePrograms() throws IOException, InterruptedException {
        held = folder.resolve("held");
        pipe = folder.resolve("signals");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        programs = new Programs(
                List.of("sh", "-c", "touch " + held + "; cat; rm " + held), Programs.untilInputEnds("cat " + pipe));
    }

    @AfterEach
    void freeWhoeverWaits() {
        rested.complete(null);
    }

    @Test
    void shouldLetTheMachineSleepWhenAllIsDoneAndNotBefore() throws IOException, InterruptedException {
        try (SleepWatch watch = SleepWatch.start(programs, sleeper());
                OutputStream signals = signals()) {
            await("it is locked", true);

            signals.write(SIGNAL.formatted("true").getBytes(UTF_8));
            assertThat(heard.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("rest");
            assertThat(held).exists();
            rested.complete(null);
            await("it is not locked", false);

            signals.write(SIGNAL.formatted("false").getBytes(UTF_8));
            assertThat(heard.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("wake");
            await("it is locked again", true);
            assertThat(watch).isNotNull();
        }
        await("it is not locked any more", false);
    }

    /** As when the JDK of a daemon that runs is upgraded in its place: it cannot start programs any more. */
    @Test
    void shouldWarnOnceWhenItCannotLockAnyMore() throws IOException, InterruptedException {
        Path lock = folder.resolve("lock");
        Files.writeString(lock, "#!/bin/sh\ntouch " + held + "; cat; rm " + held + "\n");
        Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rwx------"));
        rested.complete(null);

        try (LogLines log = new LogLines(SleepWatch.class.getName());
                SleepWatch watch =
                        SleepWatch.start(new Programs(List.of(lock.toString()), programs.signals()), sleeper());
                OutputStream signals = signals()) {
            await("it is locked", true);
            Files.delete(lock);

            for (String night : List.of("first", "second")) {
                for (String phase : List.of("true", "false")) {
                    signals.write(SIGNAL.formatted(phase).getBytes(UTF_8));
                    assertThat(heard.poll(SOON.toSeconds(), TimeUnit.SECONDS))
                            .as(night)
                            .isNotNull();
                }
            }

            assertThat(watch).isNotNull();
            assertThat(log.warnings()).singleElement().asString().contains("does not wait for this daemon any more");
        }
    }

    @Test
    void shouldHearNothingElse() throws IOException, InterruptedException {
        try (SleepWatch watch = SleepWatch.start(programs, sleeper());
                OutputStream signals = signals()) {
            await("it is locked", true);
            signals.write(
                    "/org/freedesktop/login1: org.freedesktop.login1.Manager.SessionNew ('2', '/s')\n".getBytes(UTF_8));
            signals.write(SIGNAL.formatted("false").getBytes(UTF_8));

            assertThat(heard.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("wake");
            assertThat(watch).isNotNull();
        }
        await("it is not locked any more", false);
    }

    @Test
    void shouldDoWithoutLogind() {
        Programs none = new Programs(List.of("/no/such/program"), List.of("/no/such/program"));
        SleepWatch.start(none, sleeper()).close();

        assertThat(heard).isEmpty();
        assertThat(held).doesNotExist();
    }

    @Test
    void shouldHoldNothingUpWhenItHearsNoSignalsAnyMore() throws IOException {
        Programs deaf = new Programs(programs.lock(), Programs.untilInputEnds("head -n 1 " + pipe));

        try (SleepWatch watch = SleepWatch.start(deaf, sleeper());
                OutputStream signals = signals()) {
            await("it is locked", true);
            signals.write("the bus is gone\n".getBytes(UTF_8));

            await("it is not locked any more", false);
            assertThat(watch).isNotNull();
        }
    }

    /** As when the system bus is restarted. */
    @Test
    void shouldListenAgainWhenItsSourceHasEnded() throws IOException, InterruptedException {
        Path starts = folder.resolve("starts");
        Programs oneLine = new Programs(
                programs.lock(),
                Programs.untilInputEnds("sh -c 'echo x >> %s; exec head -n 1 %s'".formatted(starts, pipe)));

        try (LogLines log = new LogLines(SleepWatch.class.getName());
                SleepWatch watch = SleepWatch.start(oneLine, Duration.ofMillis(1), sleeper());
                OutputStream signals = signals()) {
            signals.write("the bus is gone\n".getBytes(UTF_8));
            assertThat(Await.until(SOON, () -> starts.toFile().length() == 4))
                    .as("it has begun twice")
                    .isTrue();
            signals.write(SIGNAL.formatted("true").getBytes(UTF_8));

            assertThat(heard.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("rest");
            assertThat(watch).isNotNull();
            assertThat(log.warnings()).singleElement().asString().contains("is not noticed");
        }
    }

    /** The pipe, open also for reading, because to open it for writing alone waits for a reader, without a deadline. */
    private OutputStream signals() throws IOException {
        return Channels.newOutputStream(Files.newByteChannel(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    private SleepWatch.Sleeper sleeper() {
        return new SleepWatch.Sleeper() {
            @Override
            public CompletableFuture<Void> rest() {
                heard.add("rest");
                return rested;
            }

            @Override
            public void wake() {
                heard.add("wake");
            }
        };
    }

    private void await(String what, boolean wanted) {
        assertThat(Await.until(SOON, () -> Files.exists(held) == wanted))
                .as(what)
                .isTrue();
    }
}
