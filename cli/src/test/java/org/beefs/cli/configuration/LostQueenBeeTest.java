package org.beefs.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.HiveFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a start would make an empty hive in the place of one that can be rebuilt. */
class LostQueenBeeTest {
    @TempDir
    private Path temporary;

    private HiveFolder hive() {
        return new HiveFolder(temporary);
    }

    private void makeQueenBee() throws IOException {
        Files.createDirectories(temporary.resolve("queenbee"));
        Files.writeString(temporary.resolve("queenbee/queenbee.toml"), """
                [queenbee]
                listen = "127.0.0.1:1"
                """);
    }

    private void makeDesktop(String queenBee) throws IOException {
        Files.createDirectories(temporary.resolve("desktop1/honeycomb"));
        Files.writeString(temporary.resolve("desktop1/honeycomb/honeycomb.json"), "{}");
        Files.writeString(temporary.resolve("desktop1/desktop.toml"), """
                [desktop]
                name = "desktop1"
                [queenbee]
                address = "%s"
                [honeycomb]
                listen = "127.0.0.1:2"
                """.formatted(queenBee));
    }

    private void assertLost(String why) {
        assertThatThrownBy(() -> LostQueenBee.check(hive()))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(why)
                .hasMessageContaining("beefs recover --state " + temporary);
    }

    @Test
    void shouldLetANewHiveStart() {
        LostQueenBee.check(hive());
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void shouldLetAHiveStartWhoseStateIsThere() throws IOException {
        makeQueenBee();
        makeDesktop("127.0.0.1:1");
        Files.createDirectories(temporary.resolve("queenbee/data"));
        Files.writeString(temporary.resolve("queenbee/data/FORMAT"), "BeeFS queen-bee state, format 1\n");
        LostQueenBee.check(hive());
    }

    @Test
    void shouldPointToRecoveryWhenTheStateIsMissing() throws IOException {
        makeQueenBee();
        makeDesktop("127.0.0.1:1");
        assertLost("the queen-bee's state is missing");
        Files.createDirectories(temporary.resolve("queenbee/data"));
        assertLost("the queen-bee's state is missing");
    }

    @Test
    void shouldPointToRecoveryWhenTheFolderIsMissing() throws IOException {
        makeDesktop("127.0.0.1:1");
        assertLost("the queen-bee's folder is missing, and nobody listens at 127.0.0.1:1");
    }

    @Test
    void shouldLetDesktopsStartWhoseQueenBeeIsElsewhere() throws IOException {
        makeDesktop("bees.example.org:7411");
        LostQueenBee.check(hive());
        try (ServerSocket queenBee = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            makeDesktop("127.0.0.1:" + queenBee.getLocalPort());
            LostQueenBee.check(hive());
        }
    }
}
