package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdentityTest {
    @TempDir
    private Path proc;

    @BeforeEach
    void makeProc() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot-a\n");
    }

    @Test
    void shouldKnowTheProcessThatIsStillThere() throws IOException {
        process(7, "java", 'S', 500);

        assertThat(new ProcessIdentity(7, 500, "boot-a").isAlive(proc)).isTrue();
    }

    @Test
    void shouldNotTakeASuccessorOfThePidForTheProcess() throws IOException {
        process(7, "bash", 'S', 900);

        assertThat(new ProcessIdentity(7, 500, "boot-a").isAlive(proc)).isFalse();
    }

    @Test
    void shouldNotTakeAProcessOfAnotherBootForTheProcess() throws IOException {
        process(7, "java", 'S', 500);

        assertThat(new ProcessIdentity(7, 500, "boot-before").isAlive(proc)).isFalse();
    }

    @Test
    void shouldCountAZombieAsDead() throws IOException {
        process(7, "java", 'Z', 500);

        assertThat(new ProcessIdentity(7, 500, "boot-a").isAlive(proc)).isFalse();
    }

    @Test
    void shouldCountAProcessAsAliveWhoseFirstThreadHasEndedBeforeOthers() throws IOException {
        process(7, "java", 'Z', 12, 500);

        assertThat(new ProcessIdentity(7, 500, "boot-a").isAlive(proc)).isTrue();
    }

    @Test
    void shouldReadProcessesWithSpacesAndBracketsInTheirNames() throws IOException {
        process(7, "a) S 1 (b", 'R', 500);

        assertThat(ProcessIdentity.of(proc, 7)).contains(new ProcessIdentity(7, 500, "boot-a"));
    }

    @Test
    void shouldFindItselfAlive() {
        assertThat(ProcessIdentity.current().isAlive()).isTrue();
    }

    @Test
    void shouldComeBackFromAPidFile() throws IOException {
        Path file = proc.resolve("pid");
        Files.writeString(file, new ProcessIdentity(7, 500, "boot-a") + "\n");

        assertThat(ProcessIdentity.read(file)).contains(new ProcessIdentity(7, 500, "boot-a"));
    }

    @Test
    void shouldFindNothingInAPidFileThatIsNotOurs() throws IOException {
        Path file = Files.writeString(proc.resolve("pid"), "1234\n");

        assertThat(ProcessIdentity.read(file)).isEmpty();
        assertThat(ProcessIdentity.read(proc.resolve("none"))).isEmpty();
    }

    private void process(long pid, String name, char state, long started) throws IOException {
        process(pid, name, state, 1, started);
    }

    private void process(long pid, String name, char state, int threads, long started) throws IOException {
        Files.createDirectories(proc.resolve(Long.toString(pid)));
        String fields = "1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 " + threads + " 0";
        Files.writeString(
                proc.resolve(pid + "/stat"), "%d (%s) %c %s %d 1000 20\n".formatted(pid, name, state, fields, started));
    }
}
