package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.cli.CommandRun;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleCommandTest {
    private static final String OFF = "{\"address\": null, \"accounts\": 1}";

    @TempDir
    private Path temporary;

    @AutoClose
    private FakeHive hive;

    private final CommandRun command = new CommandRun();
    private FakeDaemon queenBee;

    @BeforeEach
    void start() {
        hive = new FakeHive(temporary);
        queenBee = hive.queenBee();
        queenBee.answer(
                "/api/v1/accounts/admin",
                "{\"name\": \"admin\", \"role\": \"administrator\", \"password\": \"quite-secret\"}");
    }

    @Test
    void shouldShowANewPasswordAndWhereItIsFor() {
        queenBee.answer("/api/v1/console", "{\"address\": \"http://127.0.0.1:7070/\", \"accounts\": 1}");

        run("console", "--new-password");

        assertThat(command.out())
                .contains("The console is at http://127.0.0.1:7070/", "as admin with the password quite-secret ");
    }

    /** The page of accounts makes such names. */
    @Test
    void shouldMakeAPasswordForAnAccountWhoseNameHasASpace() {
        queenBee.answer("/api/v1/console", OFF);
        queenBee.answer(
                "/api/v1/accounts/Maria%20K",
                "{\"name\": \"Maria K\", \"role\": \"administrator\", \"password\": \"quite-secret\"}");

        run("console", "--new-password", "--account", "Maria K");

        assertThat(command.out()).contains("as Maria K with the password quite-secret ");
    }

    @Test
    void shouldLeaveTheRoleToTheAccountWhereNoneIsSaid() {
        queenBee.answer("/api/v1/console", OFF);
        queenBee.answer(
                "/api/v1/accounts/maria",
                "{\"name\": \"maria\", \"role\": \"viewer\", \"password\": \"quite-secret\", \"endedTokens\": [\"backup\"]}");

        run("console", "--new-password", "--account", "maria");
        run("console", "--new-password", "--account", "maria", "--role", "viewer");

        assertThat(queenBee.bodies("/api/v1/accounts/maria"))
                .containsExactly(
                        "{\"role\":null,\"ifNew\":\"administrator\"}",
                        "{\"role\":\"viewer\",\"ifNew\":\"administrator\"}");
        assertThat(command.out()).contains("maria is viewer; with it go the tokens backup.");
    }

    /** The former one is worth nothing any more. */
    @Test
    void shouldShowANewPasswordAlsoWhenTheConsoleIsOff() {
        queenBee.answer("/api/v1/console", OFF);

        run("console", "--new-password");

        assertThat(command.out()).contains("The console is off", "as admin with the password quite-secret ");
    }

    @Test
    void shouldSayThatTheConsoleIsOff() {
        queenBee.answer("/api/v1/console", OFF);

        run("console");

        assertThat(command.out()).startsWith("The console is off").hasLineCount(1);
    }

    @Test
    void shouldMakeATokenForAScriptWithoutABrowser() {
        queenBee.answer(
                "/api/v1/tokens",
                "{\"id\": \"1f\", \"name\": \"prometheus\", \"role\": \"viewer\", \"secret\": \"beefs_quite-secret\"}");

        run("console", "--new-token", "prometheus");

        assertThat(command.out())
                .startsWith("beefs_quite-secret ")
                .contains("viewer", "1f")
                .hasLineCount(1);
    }

    @Test
    void shouldListWhoMayUseIt() {
        queenBee.answer("/api/v1/accounts", "{\"accounts\": [{\"name\": \"maria\", \"role\": \"viewer\"}]}");
        queenBee.answer(
                "/api/v1/tokens",
                "{\"tokens\": [{\"id\": \"1f\", \"name\": \"prometheus\", \"role\": \"viewer\", "
                        + "\"made\": \"2026-01-02T03:04:05Z\", \"by\": \"root at the command line\"}]}");

        run("console", "--list");

        assertThat(command.out())
                .containsPattern("maria +viewer")
                .containsPattern("prometheus +viewer +1f +2026-01-02T03:04:05Z +root at the command line");
    }

    @Test
    void shouldRemoveAnAccount() {
        queenBee.answer("/api/v1/accounts/maria", "{\"done\": \"maria is removed\"}");

        run("console", "--remove-account", "maria");

        assertThat(command.out()).isEqualTo("maria is removed\n");
    }

    private void run(String... words) {
        assertThat(command.runIn(temporary, words)).isZero();
    }
}
