package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.beefs.common.posix.Errno;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** Programs that lie in the hive, those that watch it, and mounts that only show it. */
abstract class Programs extends Topic {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void shouldNotLetARunningProgramBeWrittenNorAnOpenOneRun() throws IOException {
        Path program = Files.copy(Path.of("/bin/sleep"), here.resolve("sleep"));
        Posix.chmod(program, 0755);
        try (RunningProgram running = Program.of(program.toString(), "60").start()) {
            Await.until(
                    SOON,
                    "it runs",
                    () -> Posix.stat(exe(running)).inode()
                            == Posix.stat(program).inode());
            assertFails(Errno.ETXTBSY, () -> Posix.open(program, Posix.O_WRONLY, 0));
            assertFails(Errno.ETXTBSY, () -> Posix.open(program, Posix.O_RDONLY | Posix.O_TRUNC, 0));
            assertThat(program).hasSameBinaryContentAs(Path.of("/bin/sleep"));
        }
        with(
                program,
                Posix.O_WRONLY,
                fd -> assertThat(Program.shell("'" + program + "' 0")
                                .runToAnyEnd()
                                .errors())
                        .contains("Text file busy"));
        Program.of(there.resolve("sleep").toString(), "0").run();
    }

    @Test
    void shouldTellWatchersWhatThisMountDoes() throws IOException, InterruptedException {
        try (WatchService watches = here.getFileSystem().newWatchService()) {
            here.register(
                    watches,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            Posix.unlink(file("file", "text", 0644));

            List<String> seen = new ArrayList<>();
            while (!seen.contains("ENTRY_DELETE file")) {
                var key = watches.poll(SOON.toSeconds(), TimeUnit.SECONDS);
                assertThat(key).as("an event after " + seen).isNotNull();
                for (WatchEvent<?> event : key.pollEvents()) {
                    seen.add(event.kind() + " " + event.context());
                }
                key.reset();
            }
            assertThat(seen).contains("ENTRY_CREATE file", "ENTRY_MODIFY file");
        }
    }

    @Test
    void shouldChangeNothingThroughAMountThatOnlyReads(Mounts mounts) {
        Path file = file("file", "text", 0666);
        Path shown = mounts.scratch().resolve("shown" + place);
        Program.shell("mkdir \"$DIR\" && mount --bind \"$HIVE\" \"$DIR\" && mount -o remount,ro,bind \"$DIR\"")
                .with("DIR", shown.toString())
                .with("HIVE", here.toString())
                .run();
        try {
            with(
                    shown.resolve("file"),
                    Posix.O_RDONLY,
                    fd -> assertThat(text(fd)).isEqualTo("text"));
            assertFails(Errno.EROFS, () -> Posix.open(shown.resolve("file"), Posix.O_WRONLY, 0));
            assertFails(Errno.EROFS, () -> Posix.mkdir(shown.resolve("folder"), 0755));
            assertFails(Errno.EROFS, () -> Posix.chmod(shown.resolve("file"), 0600));
            assertFails(Errno.EROFS, () -> Posix.unlink(shown.resolve("file")));
            with(file, Posix.O_WRONLY, fd -> Posix.pwrite(fd, 0, bytes("more")));
            assertThat(shown.resolve("file")).hasContent("more");
        } finally {
            Program.of("umount", "-l", shown.toString()).run();
        }
    }

    private static Path exe(RunningProgram program) {
        return Path.of("/proc/" + program.pid() + "/exe");
    }
}
