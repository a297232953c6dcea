package org.beefs.queenbee.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.beefs.common.config.Addresses;
import org.beefs.queenbee.console.Browser;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins, sessions, and what other sites can have a browser do. */
class DoorTest {
    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private ConsoleHive console;
    private WebServer server;
    private Browser browser;
    private String password;

    @BeforeEach
    void open() throws IOException {
        TestHive hive = new TestHive();
        new TestDesktop(hive, "a").registered();
        console = new ConsoleHive(hive, folder);
        password = console.accounts().set("admin", Role.ADMINISTRATOR).password();
        server = WebServer.open(Addresses.parse("127.0.0.1:0"), false, console.parts(), executor);
        browser = new Browser("http://" + Addresses.format(server.address()) + "/");
    }

    @AfterEach
    void close() {
        browser.close();
        server.close();
        executor.shutdownNow();
    }

    @Test
    void shouldLetInOnlyWhoKnowsThePassword() {
        assertThat(browser.login("admin", "wrong")).isFalse();
        assertThat(browser.login("nobody", password)).isFalse();
        assertThat(browser.login("admin", password)).isTrue();

        assertThat(browser.page("/")).contains("admin (administrator)");
        assertThat(texts("login")).anyMatch(text -> text.contains("failed to log in"));
        assertThat(texts("login")).anyMatch(text -> text.contains("admin has logged in"));
    }

    /** As she may be just after her start. */
    @Test
    void shouldLetInWhoKnowsThePasswordWhileTheQueenBeeIsStuck() {
        console.setStuck(true);

        assertThat(browser.login("admin", password)).isTrue();

        assertThat(texts("login")).singleElement().asString().contains("admin has logged in");
    }

    @Test
    void shouldLetInWhoKnowsThePasswordHoweverManyHaveGuessedFromTheSameAddress() {
        for (int i = 0; i < 50; i++) {
            browser.login("admin", "guess");
        }

        assertThat(browser.login("admin", password)).isTrue();
    }

    @Test
    void shouldNotLetThoseWhoGuessFillTheEventLog() {
        for (int i = 0; i < 20; i++) {
            browser.login("admin", "guess");
        }
        console.model().refresh();
        assertThat(texts("login")).singleElement().asString().contains("somebody at 127.0.0.1 has failed");

        console.hive().time().jump(Duration.ofMinutes(1));
        console.model().refresh();
        console.model().refresh();

        assertThat(texts("login")).hasSize(2).last().asString().contains("19 logins have failed");
    }

    @Test
    void shouldKeepItsSessionFromScriptsAndOtherSites() {
        assertThat(cookie(Map.of(), "name=admin&password=" + password))
                .contains("HttpOnly", "SameSite=Strict", "Path=/");
    }

    /** Browsers give cookies to all ports of a host, and tunnels to two hives may end at one. */
    @Test
    void shouldNotTakeThePlaceOfTheSessionOfAnotherHive() {
        String hive = console.model().snapshot().hive().id();

        assertThat(hive).hasSize(32);
        assertThat(cookie(Map.of(), "name=admin&password=" + password))
                .startsWith("beefs-" + server.address().getPort() + "-" + hive.substring(0, 12) + "=");
    }

    @Test
    void shouldKeepItsSessionFromConnectionsWithoutTlsWhereAProxyHasIt() {
        String form = "name=admin&password=" + password;

        assertThat(cookie(Map.of("X-Forwarded-Proto", "https"), form)).contains("; Secure");
        assertThat(cookie(Map.of(), form)).doesNotContain("Secure");
    }

    @Test
    void shouldEndSessionsThatNobodyUses() {
        browser.login("admin", password);
        console.hive().time().jump(ConsoleHive.SESSION.minusSeconds(1));
        assertThat(browser.get("/").statusCode()).isEqualTo(200);
        console.hive().time().jump(ConsoleHive.SESSION.minusSeconds(1));
        assertThat(browser.call("GET", "/", "", Map.of("X-Beefs-Refresh", "1")).statusCode())
                .isEqualTo(200);

        console.hive().time().jump(Duration.ofSeconds(2));

        assertThat(browser.get("/").statusCode()).isEqualTo(303);
        assertThat(browser.call("GET", "/", "", Map.of("HX-Request", "true"))
                        .headers()
                        .firstValue("HX-Redirect"))
                .contains("/login");
    }

    @Test
    void shouldLogOut() {
        browser.login("admin", password);

        HttpResponse<String> response = browser.post("/logout", Map.of("csrf", browser.csrf()));

        assertThat(response.headers().firstValue("Location")).contains("/login");
        assertThat(browser.get("/").statusCode()).isEqualTo(303);
    }

    /** It has been left open since an earlier login, and whoever presses its button wants to be out. */
    @Test
    void shouldLogOutFromAPageOfAnotherSession() {
        browser.login("admin", password);
        String word = browser.csrf();
        browser.login("admin", password);

        browser.post("/logout", Map.of("csrf", word));

        assertThat(browser.get("/").statusCode()).isEqualTo(303);
    }

    @Test
    void shouldLetNoOtherSiteLogABrowserOut() {
        browser.login("admin", password);

        assertThat(browser.call("POST", "/logout", "", Map.of("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);

        assertThat(browser.get("/").statusCode()).isEqualTo(200);
    }

    /** As a proxy does that asks for a password of its own. */
    @Test
    void shouldLetInWhoHasASessionThoughTheBrowserShowsAnotherPassword() {
        browser.login("admin", password);
        Map<String, String> sent = Map.of("Authorization", "Basic bWU6cGFzc3dvcmQ=");

        assertThat(browser.call("GET", "/api/v1/hive", "", sent).statusCode()).isEqualTo(200);
        assertThat(browser.call("GET", "/api/v1/hive", "", Map.of("Authorization", "Bearer none"))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldNotTakeFormsOfOtherSites() {
        browser.login("admin", password);

        HttpResponse<String> response = browser.post(
                "/do", Map.of("method", "POST", "target", "/api/v1/desktops/a/drain", "csrf", "made up", "back", "/"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(browser.call("POST", "/api/v1/desktops/a/drain", "", Map.of())
                        .statusCode())
                .isEqualTo(401);
        assertThat(console.model().refresh().desktop("a").orElseThrow().drain()).isNull();
        assertThat(browser.call("POST", "/api/v1/desktops/a/drain", "", Map.of("X-CSRF-Token", browser.csrf()))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldLetNoOtherSiteLogABrowserIn() {
        String own = Addresses.format(server.address());
        String form = "name=admin&password=" + password;

        for (Map<String, String> sent : List.of(
                Map.of("Sec-Fetch-Site", "cross-site", "Origin", "http://" + own),
                Map.of("Sec-Fetch-Site", "same-site"),
                Map.of("Origin", "http://elsewhere.example"),
                Map.of("Origin", "http://" + own + ".elsewhere.example"),
                Map.of("Origin", "null"))) {
            HttpResponse<String> response = browser.call("POST", "/login", form, sent);
            assertThat(response.statusCode()).as(sent.toString()).isEqualTo(403);
            assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
        }
        for (Map<String, String> sent : List.of(
                Map.of("Sec-Fetch-Site", "same-origin", "Origin", "https://behind.a.proxy.example"),
                Map.of("Sec-Fetch-Site", "none"),
                Map.of("Origin", "http://" + own))) {
            assertThat(browser.call("POST", "/login", form, sent).statusCode())
                    .as(sent.toString())
                    .isEqualTo(303);
        }
    }

    @Test
    void shouldLetNoOtherSiteChangeAnything() {
        browser.login("admin", password);
        Map<String, String> sent = Map.of("Origin", "http://elsewhere.example", "X-CSRF-Token", browser.csrf());

        HttpResponse<String> response = browser.call("POST", "/api/v1/desktops/a/drain", "", sent);
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        String form = "method=POST&target=/api/v1/desktops/a/drain&csrf=" + browser.csrf();
        assertThat(browser.call("POST", "/do", form, sent).statusCode()).isEqualTo(403);

        assertThat(console.model().refresh().desktop("a").orElseThrow().drain()).isNull();
        assertThat(browser.call("GET", "/", "", sent).statusCode()).isEqualTo(200);
    }

    private String cookie(Map<String, String> sent, String form) {
        return browser.call("POST", "/login", form, sent)
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
    }

    private List<String> texts(String kind) {
        return console.model().events().newest(kind, null, 100).stream()
                .map(Event::text)
                .toList();
    }
}
