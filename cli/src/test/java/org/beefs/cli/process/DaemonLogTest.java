package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonLogTest {
    @TempDir
    private Path temporary;

    /** Takes a folder, says where its log is, and goes on until nobody listens any more. */
    static final class TellingDaemon {
        private TellingDaemon() {}

        public static void main(String[] arguments) throws IOException {
            ProcessFolder folder = new HiveFolder(Path.of(arguments[0])).queenBee();
            try (PidFile _ = PidFile.take(folder)) {
                System.out.println(DaemonLog.placeOfThisProcess(folder));
                System.in.read();
            }
        }
    }

    /** It is another process's: within one the lock is not the kernel's. */
    @Test
    void shouldLeaveTheFolderToTheDaemonThatSaysWhereItsLogIs() throws Exception {
        ProcessFolder folder = new HiveFolder(temporary).queenBee();
        folder.create();
        Process daemon = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        TellingDaemon.class.getName(),
                        temporary.toString())
                .redirectError(folder.log().toFile())
                .start();
        try (BufferedReader output = daemon.inputReader()) {
            assertThat(output.readLine()).isEqualTo(folder.log().toString());

            assertThatThrownBy(() -> PidFile.take(folder))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("already runs");
        } finally {
            daemon.destroyForcibly().waitFor();
        }
    }
}
