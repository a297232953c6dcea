package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hive of docker/compose.yaml, as its first lines say to use it. */
@Requires(engine = true, programs = "docker-compose")
class ComposeIT {
    private static final Duration MANY_CONTAINERS = Duration.ofMinutes(3);

    /** What compose begins the names with, so that two runs do not meet. */
    private final String project = "beefs" + ProcessHandle.current().pid();

    @BeforeEach
    void bringUp() {
        Image.make();
        compose("up", "--detach").run();
    }

    @AfterEach
    void takeAway() {
        compose("down", "--volumes").run();
    }

    @Test
    void shouldKeepFilesOfFiveDesktopsWhileAllIsTakenDown() {
        awaitAwake();
        String about = on("desk1", "echo hello >/mnt/hive/file && beefs info /mnt/hive/file")
                .run()
                .output();
        assertThat(about).contains("desk1").contains("primary");
        compose("down").run();

        compose("up", "--detach").run();

        awaitAwake();
        for (String desktop : Hosts.DESKTOPS) {
            assertThat(on(desktop, "cat /mnt/hive/file").run().output()).isEqualTo("hello\n");
        }
    }

    private void awaitAwake() {
        String status = "beefs status --json | grep -c '\"presence\" *: *\"awake\"'";
        String all = Integer.toString(Hosts.DESKTOPS.size());
        Await.until(
                MANY_CONTAINERS,
                () -> "all are awake: " + compose("logs", "--no-color").run().output(),
                () -> on(Hosts.QUEEN_BEE, status).runToAnyEnd().output().strip().equals(all)
                        && Hosts.DESKTOPS.stream()
                                .allMatch(desktop -> on(desktop, "mountpoint -q /mnt/hive")
                                        .runToAnyEnd()
                                        .succeeded()));
    }

    private Program on(String service, String script) {
        return compose("exec", "-T", service, "sh", "-c", script);
    }

    private Program compose(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "docker-compose",
                "--project-name",
                project,
                "--file",
                Folders.repository().resolve("docker/compose.yaml").toString()));
        command.addAll(List.of(arguments));
        return Program.of(command).within(MANY_CONTAINERS);
    }
}
