package org.beefs.queenbee.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.console.Browser;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator gives to people. */
class AccessPageTest {
    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private ConsoleHive console;
    private WebServer server;
    private Browser browser;

    @BeforeEach
    void open() throws IOException {
        console = new ConsoleHive(new TestHive(), folder);
        String password = console.accounts().set("admin", Role.ADMINISTRATOR).password();
        server = WebServer.open(Addresses.parse("127.0.0.1:0"), false, console.parts(), executor);
        browser = newBrowser();
        browser.login("admin", password);
    }

    @AfterEach
    void close() {
        browser.close();
        server.close();
        executor.shutdownNow();
    }

    @Test
    void shouldShowANewPasswordOnce() {
        String page = browser.press(
                "/access", "Make, or give a new password", "/accounts/{name}", Map.of("name", "joe", "role", "viewer"));

        String shown = page.replaceAll("(?s).*The password of joe is ([a-z0-9-]+) .*", "$1");
        assertThat(browser.page("/access")).contains("joe").doesNotContain(shown);
        try (Browser joes = newBrowser()) {
            assertThat(joes.login("joe", shown)).isTrue();
        }
    }

    /** He who gives it has not chosen a role. */
    @Test
    void shouldKeepRoleAndTokensOfWhoGetsANewPassword() {
        browser.press("/access", "Make a token", "/tokens", Map.of("name", "own", "role", "administrator"));

        String page = browser.press(
                "/access", "Make, or give a new password", "/accounts/{name}", Map.of("name", "admin", "role", ""));

        assertThat(page).contains("admin is administrator.", "own").doesNotContain("with it go");
        assertThat(page.indexOf("as it is"))
                .isLessThan(page.indexOf(">viewer<"))
                .isPositive();
    }

    @Test
    void shouldSayWhichTokensGoWithARightThatIsTaken() {
        console.accounts().set("maria", Role.ADMINISTRATOR);
        console.accounts()
                .makeToken("hers", Role.ADMINISTRATOR, new Principal("maria", Role.ADMINISTRATOR, "maria", null));
        assertThat(browser.press(
                        "/access",
                        "Make, or give a new password",
                        "/accounts/{name}",
                        Map.of("name", "maria", "role", "viewer")))
                .contains("maria is viewer; with it go the tokens hers.");
    }

    /** Elsewhere he is logged out. */
    @Test
    void shouldShowWhoGivesHimselfANewPassword() {
        String first = console.accounts().set("admin", Role.ADMINISTRATOR).password();
        try (Browser elsewhere = newBrowser()) {
            elsewhere.login("admin", first);

            String page = browser.press(
                    "/access",
                    "Make, or give a new password",
                    "/accounts/{name}",
                    Map.of("name", "admin", "role", "administrator"));

            assertThat(elsewhere.get("/").statusCode()).isEqualTo(303);
            String shown = page.replaceAll("(?s).*The password of admin is ([a-z0-9-]+) .*", "$1");
            assertThat(elsewhere.login("admin", shown)).isTrue();
        }
        assertThat(browser.page("/")).contains("admin (administrator)");
    }

    private Browser newBrowser() {
        return new Browser("http://" + Addresses.format(server.address()) + "/");
    }
}
