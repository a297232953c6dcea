package org.beefs.queenbee.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.beefs.common.config.Addresses;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.UserActivity;
import org.beefs.queenbee.console.Browser;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, what he sees, and what his buttons do. */
class WebServerTest {
    private static final List<String> PAGES = List.of(
            "/",
            "/desktops",
            "/desktops/a",
            "/files",
            "/replication",
            "/without",
            "/clients",
            "/events",
            "/recovery",
            "/settings");
    private static final String HOSTILE = "<script>alert('\"')</script>\n\u001b[31m&";

    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private TestDesktop a;
    private TestDesktop b;
    private ConsoleHive console;
    private WebServer server;
    private Browser browser;
    private String password;

    @BeforeEach
    void open() throws IOException {
        TestHive hive = new TestHive();
        a = new TestDesktop(hive, "a").registered();
        b = new TestDesktop(hive, "b").registered();
        console = new ConsoleHive(hive, folder);
        password = console.accounts().set("admin", Role.ADMINISTRATOR).password();
        server = WebServer.open(Addresses.parse("127.0.0.1:0"), false, console.parts(), executor);
        browser = newBrowser();
    }

    @AfterEach
    void close() {
        browser.close();
        server.close();
        executor.shutdownNow();
    }

    @Test
    void shouldShowNothingToStrangers() {
        PAGES.forEach(page -> {
            HttpResponse<String> response = browser.get(page);
            assertThat(response.statusCode()).as(page).isEqualTo(303);
            assertThat(response.headers().firstValue("Location")).contains("/login");
        });
        for (String path : List.of("/api/v1/hive", "/api/v1/openapi.json", "/metrics")) {
            assertThat(browser.get(path).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(browser.post("/do", Map.of("method", "POST", "target", "/api/v1/desktops/a/drain"))
                        .statusCode())
                .isEqualTo(303);
        assertThat(console.model().snapshot().desktop("a").orElseThrow().drain())
                .isNull();
        assertThat(browser.get("/stream").statusCode()).isEqualTo(303);
    }

    @Test
    void shouldShowEachPageInOnePiece() {
        console.makeFile("report", 1, 2);
        browser.login("admin", password);

        for (String page : PAGES) {
            HttpResponse<String> response = browser.get(page);
            assertThat(response.statusCode()).as(page).isEqualTo(200);
            assertThat(response.body())
                    .startsWith("<!doctype html>")
                    .contains("<h1>", "aria-current=\"page\"")
                    .endsWith("</html>");
            assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(response.body()).doesNotContain("<style", "style=\"", "onclick", "javascript:");
        }
        assertThat(browser.get("/no-such-page").statusCode()).isEqualTo(404);
        assertThat(browser.get("/desktops/none").statusCode()).isEqualTo(404);
        for (String asset : List.of("console.js", "console.css", "htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css")) {
            assertThat(browser.page("/assets/" + asset)).as(asset).isNotBlank();
        }
        assertThat(browser.get("/assets/../WebServer.class").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldShowWhetherDesktopsAreUsed() {
        a.setUserActivity(UserActivity.ACTIVE);
        a.ok(QueenRequest.newBuilder().setHeartbeat(a.heartbeat()));
        console.model().refresh();
        browser.login("admin", password);

        assertThat(browser.page("/desktops"))
                .contains("data-label=\"User\"><span>active</span>", "data-label=\"User\"><span>unknown</span>");
        assertThat(browser.page("/desktops/a")).contains("while somebody uses it, copies come here slowly");
    }

    @Test
    void shouldDoWhatAButtonSaysAndRecordWhoPressedIt() {
        browser.login("admin", password);

        String page = browser.press("/desktops", "Drain", "/desktops/a/drain", Map.of());

        assertThat(page).contains("a is draining.", "Stop draining");
        assertThat(console.model().refresh().desktop("a").orElseThrow().drain()).isNotNull();
        Event event = console.model().events().newest("action", "a", 10).getLast();
        assertThat(event.who()).isEqualTo("admin");
        assertThat(event.text()).isEqualTo("a is draining");
        assertThat(browser.press("/desktops/a", "Stop draining", "/desktops/a/drain", Map.of()))
                .contains("takes replicas again");
        assertThat(console.model().refresh().desktop("a").orElseThrow().drain()).isNull();
    }

    @Test
    void shouldOfferToGiveUpADesktopUntilThatIsDone() {
        a.disconnect();
        console.hive().advance(TestConfig.LONGER_THAN_THE_GRACE_TIME);
        console.model().refresh();
        browser.login("admin", password);

        String page = browser.page("/desktops/a");
        assertThat(page).contains("<span class=\"bad\">lost</span>", "/desktops/a/lost");

        browser.press("/desktops/a", "Give up", "/desktops/a/lost", Map.of());
        assertThat(browser.page("/desktops/a")).doesNotContain("/desktops/a/lost");
    }

    @Test
    void shouldSayThatADrainWaitsForTheDesktopItself() {
        console.makeFile("report", 1);
        console.model().administration().drain("a", false, "me");
        a.disconnect();
        console.hive().advance(List.of(b), Duration.ofMinutes(1));
        console.model().refresh();
        browser.login("admin", password);

        assertThat(browser.page("/desktops/a"))
                .contains("1 replica has yet to leave, with 100 B;", " It is away: switch it on.");
    }

    @Test
    void shouldOfferToForgetADesktopThatWasGivenUp() {
        browser.login("admin", password);
        a.disconnect();
        assertThat(browser.page("/desktops")).doesNotContain("/desktops/a/forget");

        console.model().administration().declareLost("a", "me");

        assertThat(browser.page("/desktops")).contains("/desktops/a/forget").doesNotContain("/desktops/b/forget");
    }

    @Test
    void shouldNotSayOfWhatHasNoAnswerYetThatItIsNotDone() {
        browser.login("admin", password);
        console.setAnswering(false);

        assertThat(browser.press("/desktops", "Drain", "/desktops/a/drain", Map.of()))
                .contains("It was asked for: the queen-bee did not answer within", "it may be done yet")
                .doesNotContain("It was not done");
    }

    /** Such as a password, which is shown this once. */
    @Test
    void shouldKeepWhatHasComeOfAButtonForThePageThatShowsIt() {
        browser.login("admin", password);
        browser.post(
                "/do",
                Map.of(
                        "csrf", browser.csrf(),
                        "method", "POST",
                        "target", "/api/v1/desktops/a/drain"));

        assertThat(browser.call("GET", "/access", "", Map.of("X-Beefs-Refresh", "1"))
                        .statusCode())
                .isEqualTo(200);

        assertThat(browser.page("/desktops")).contains("a is draining.");
        assertThat(browser.page("/desktops")).doesNotContain("a is draining.");
    }

    @Test
    void shouldShowDesktopsByRoom() {
        browser.login("admin", password);
        assertThat(browser.page("/desktops")).doesNotContain("<h2>In no room</h2>");

        assertThat(browser.press("/desktops/a", "Set", "/desktops/a/room", Map.of("value", "2nd <floor>")))
                .contains("a is in room 2nd &lt;floor&gt;.", "Room: 2nd &lt;floor&gt;");

        assertThat(browser.page("/desktops")).contains("<h2>2nd &lt;floor&gt;</h2>", "<h2>In no room</h2>");
        assertThat(browser.page("/without"))
                .contains("Off would be, of 2nd &lt;floor&gt;")
                .doesNotContain("<h2>Without");
        assertThat(browser.page("/without?room=2nd+%3Cfloor%3E")).contains("<h2>Without a</h2>");
        assertThat(browser.press("/desktops/a", "No room", "/desktops/a/room", Map.of()))
                .contains("a is in no room.");
    }

    @Test
    void shouldShowADrillThatFailsAndSayItNeedsAttention() {
        browser.login("admin", password);

        String page = browser.press("/recovery", "Start a drill", "/recovery/drill", Map.of());

        assertThat(page)
                .contains(
                        "The drill of the recovery has begun.",
                        "The namespace cannot be rebuilt: the honeycomb at",
                        "Begun by admin");
        assertThat(browser.page("/")).contains("The last drill of a recovery failed", "Start a drill</button>");
    }

    @Test
    void shouldShowWhenADesktopWasThere() {
        browser.login("admin", password);
        console.model().refresh();

        assertThat(browser.page("/desktops/a"))
                .contains("When it was there", "aria-label=\"Presence on ")
                .containsPattern("<rect class=\"awake\" x=\"\\d+\" y=\"\\d+\" width=\"[1-9]")
                .doesNotContain("style=");
    }

    @Test
    void shouldChangeHowAFileIsReplicated() {
        long inode = console.makeFile("report", 1);
        String page = "/files?inode=" + inode;
        String target = "/files/" + inode + "/settings/replicas";
        browser.login("admin", password);

        assertThat(browser.press(page, "Set", target, Map.of("value", "2"))).contains("replicas is 2.", "its own");
        assertThat(browser.press(page, "Set", target, Map.of("value", "99"))).contains("It was not done: 99 is not");
        assertThat(browser.press(page, "As the hive", target, Map.of())).doesNotContain("its own", "As the hive<");
    }

    @Test
    void shouldChangeSettingsForTheNextStart() {
        String target = "/settings/console.session";
        browser.login("admin", password);

        assertThat(browser.press("/settings", "Set", target, Map.of("value", "1h")))
                .contains("console.session is 1h from the queen-bee&#39;s next start on.", "from the next start on 1h");
        assertThat(browser.press("/settings", "Set", target, Map.of("value", "long")))
                .contains("It was not done");
        assertThat(browser.press("/settings", "Default", target, Map.of())).doesNotContain("from the next start on 1h");
    }

    @Test
    void shouldShowWhatTakesSpace() {
        console.makeFile("report", 1, 2);
        browser.login("admin", password);

        assertThat(browser.page("/files")).contains("/files?usage=yes&amp;inode=1");
        assertThat(browser.page("/files?usage=yes")).contains(">report<", "100 B", "200 B", "altogether");
    }

    @Test
    void shouldLeadOnlyToItsOwnPages() {
        browser.login("admin", password);
        Map<String, String> form = Map.of(
                "method",
                "DELETE",
                "target",
                "/api/v1/desktops/a/drain",
                "csrf",
                browser.csrf(),
                "back",
                "//elsewhere.example/");

        assertThat(browser.post("/do", form).headers().firstValue("Location")).contains("/");
    }

    @Test
    void shouldShowViewersNoButtonsAndDoNothingForThem() {
        String viewers = console.accounts().set("maria", Role.VIEWER).password();
        browser.login("maria", viewers);

        assertThat(browser.page("/desktops")).contains("maria (viewer)").doesNotContain("Drain</button>");
        assertThat(browser.page("/settings") + browser.page("/files") + browser.page("/clients"))
                .doesNotContain("Set</button>", "Eject</button>");
        assertThat(browser.get("/access").statusCode()).isEqualTo(404);
        assertThat(browser.get("/api/v1/tokens").statusCode()).isEqualTo(403);
        Map<String, String> form = Map.of(
                "method", "POST", "target", "/api/v1/desktops/a/drain", "csrf", browser.csrf(), "back", "/desktops");
        browser.post("/do", form);
        assertThat(browser.page("/desktops")).contains("only an administrator may do that");
        assertThat(console.model().refresh().desktop("a").orElseThrow().drain()).isNull();
    }

    @Test
    void shouldForgetSomebodyWhoseAccountIsGone() {
        String viewers = console.accounts().set("maria", Role.VIEWER).password();
        try (Browser marias = newBrowser()) {
            marias.login("maria", viewers);
            browser.login("admin", password);

            assertThat(browser.press("/access", "Remove", "/accounts/maria", Map.of()))
                    .contains("maria is removed");

            assertThat(marias.get("/").statusCode()).isEqualTo(303);
        }
        assertThat(browser.press("/access", "Remove", "/accounts/admin", Map.of()))
                .contains("the last administrator stays one");
    }

    /** It would show what has come of a button in the place of the page that is to show it. */
    @Test
    void shouldSayOfASearchThatGoesOnByItselfThatNobodyAsked() {
        console.makeFile("report", 1);
        browser.login("admin", password);
        console.setQuestionsTake(Duration.ofSeconds(1));

        assertThat(browser.page("/files?name=none"))
                .containsPattern("hx-get=\"/files\\?name=none&amp;after=\\d+\" [^>]*X-Beefs-Refresh");
    }

    @Test
    void shouldTellOnlyMetricsThatAreDescribed() throws IOException {
        console.model().refresh();
        browser.login("admin", password);
        String described = Files.readString(Path.of("../docs/METRICS.md"));

        List<String> told = browser.page("/metrics")
                .lines()
                .filter(line -> line.startsWith("# TYPE beefs_"))
                .map(line -> line.split(" ", -1)[2])
                .toList();

        assertThat(told)
                .hasSizeGreaterThan(20)
                .allSatisfy(metric -> assertThat(described).contains("`" + metric));
    }

    /** While the queen-bee is stuck the last healthy ones would keep alarms quiet. */
    @Test
    void shouldTellNoFiguresThatAreOld() {
        browser.login("admin", password);
        console.model().refresh();
        console.hive().time().jump(Duration.ofMinutes(1));
        assertThat(browser.page("/metrics"))
                .contains("beefs_snapshot_age_seconds 60.0\n", "\nbeefs_attention ", "\nbeefs_recalls_total ");

        console.hive().time().jump(Duration.ofSeconds(1));

        assertThat(browser.page("/metrics"))
                .contains("beefs_snapshot_age_seconds 61.0\n", "jvm_memory_used_bytes")
                .doesNotContainPattern("\nbeefs_(attention|recalls_total|desktop_connected)\\b");
        console.model().refresh();
        assertThat(browser.page("/metrics")).contains("beefs_snapshot_age_seconds 0.0\n", "\nbeefs_attention ");
    }

    /** htmx looks for what it preserves by such an id, without escaping it. */
    @Test
    void shouldGiveButtonsIdsThatAreSelectors() {
        new TestDesktop(console.hive(), "desk_1.example.org").registered();
        new TestDesktop(console.hive(), "desk-1.example.org").registered();
        console.model().refresh();
        browser.login("admin", password);

        String page = browser.page("/desktops") + browser.page("/desktops/desk_1.example.org");

        assertThat(Pattern.compile(" id=\"([^\"]*)\"").matcher(page).results().map(id -> id.group(1)))
                .allMatch(id -> id.matches("[a-z][A-Za-z0-9_-]*"))
                .contains("do-POST-desktops-desk_5f1_2eexample_2eorg-drain")
                .contains("do-POST-desktops-desk_2d1_2eexample_2eorg-drain")
                .contains("do-value-desktops-desk_5f1_2eexample_2eorg-room")
                .contains("do-PUT-desktops-desk_5f1_2eexample_2eorg-room");
    }

    @Test
    void shouldLeadToEarlierEventsUntilThereAreNone() {
        for (int i = 0; i < 399; i++) {
            console.model().events().add("action", null, "event " + i + ".", "me");
        }
        console.model().events().add("hive", null, "another kind", null);
        browser.login("admin", password);

        String newest = browser.page("/events?kind=action");
        String earlier = browser.page(linkToNext(newest));

        assertThat(newest).contains(">event 398.<", ">event 199.<").doesNotContain(">event 198.<");
        assertThat(earlier)
                .contains(">event 198.<", ">event 0.<")
                .doesNotContain(">event 199.<", ">another kind<", "rel=\"next\"");
    }

    @Test
    void shouldServeScriptsWithTokens() {
        browser.login("admin", password);
        String page = browser.press("/access", "Make a token", "/tokens", Map.of("name", "backup", "role", "viewer"));
        String secret = page.replaceAll("(?s).*The token backup is (\\S+) .*", "$1");
        try (Browser script = newBrowser()) {
            Map<String, String> token = Map.of("Authorization", "Bearer " + secret);

            assertThat(script.call("GET", "/api/v1/hive", "", token).body()).contains("\"health\":");
            assertThat(script.call("GET", "/metrics", "", token).body())
                    .contains("beefs_desktop_connected{desktop=\"a\"} 1.0\n")
                    .endsWith("# EOF\n");
            assertThat(script.call("POST", "/api/v1/desktops/a/drain", "", token)
                            .statusCode())
                    .isEqualTo(403);
            assertThat(script.call("GET", "/api/v1/hive", "", Map.of("Authorization", "Bearer x"))
                            .statusCode())
                    .isEqualTo(401);
            String id = console.accounts().tokens().getFirst().id();
            browser.press("/access", "Remove", "/tokens/" + id, Map.of());
            assertThat(script.call("GET", "/api/v1/hive", "", token).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void shouldLetNobodyInWithTheTokenOfSomebodyWhoseAccountIsGone() {
        String others = console.accounts().set("maria", Role.ADMINISTRATOR).password();
        try (Browser marias = newBrowser()) {
            marias.login("maria", others);
            String page =
                    marias.press("/access", "Make a token", "/tokens", Map.of("name", "hers", "role", "administrator"));
            Map<String, String> token =
                    Map.of("Authorization", "Bearer " + page.replaceAll("(?s).*The token hers is (\\S+) .*", "$1"));
            assertThat(marias.call("GET", "/api/v1/hive", "", token).statusCode())
                    .isEqualTo(200);
            browser.login("admin", password);

            assertThat(browser.press("/access", "Remove", "/accounts/maria", Map.of()))
                    .contains("maria is removed; with it go the tokens hers");

            assertThat(marias.call("GET", "/api/v1/hive", "", token).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void shouldTellScriptsOfEachFailureInTheirForm() {
        Map<String, String> token = Map.of(
                "Authorization",
                "Bearer "
                        + console.accounts()
                                .makeToken("backup", Role.ADMINISTRATOR, new Principal("admin", Role.ADMINISTRATOR))
                                .secret());
        String room = "/api/v1/desktops/a/room";

        assertProblem(browser.call("GET", "/api/v1/hive", "", Map.of()), 401);
        assertProblem(browser.call("GET", "/api/v1", "", token), 404);
        assertProblem(browser.call("GET", "/api/v2/hive", "", token), 404);
        assertProblem(browser.call("GET", "/api/v1/entries?path=/none", "", token), 404);
        assertProblem(browser.call("PUT", room, "{\"value\":", token), 400);
        HttpResponse<String> wrongType = browser.call("PUT", room, "{\"value\":[]}", token);
        assertProblem(wrongType, 400);
        assertThat(wrongType.body())
                .contains("value in the body has a wrong type")
                .doesNotContain("org.beefs");
        assertProblem(browser.call("PUT", room, "x".repeat(1 << 17), token), 413);
        HttpResponse<String> notAllowed = browser.call("POST", "/api/v1/hive", "", token);
        assertProblem(notAllowed, 405);
        assertThat(notAllowed.headers().firstValue("Allow")).contains("GET");
    }

    private static void assertProblem(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"title\":", "\"status\":" + status, "\"detail\":");
    }

    @Test
    void shouldShowHostileNamesHarmlessly() {
        long inode = console.makeFile(HOSTILE, 1);
        browser.login("admin", password);

        for (String page : List.of("/files", "/files?inode=" + inode, "/files?name=script", "/without?off=a")) {
            assertThat(browser.page(page))
                    .as(page)
                    .doesNotContain("<script>alert", "\u001b")
                    .contains("&lt;script&gt;alert(&#39;&quot;&#39;)&lt;/script&gt;");
        }
        assertThat(browser.page("/files?name=" + "%22%3E%3Cscript%3E")).doesNotContain("\"><script>");
    }

    @Test
    void shouldShowDirectoriesAPageAtATime() {
        for (int i = 0; i < 201; i++) {
            console.makeFile("file" + i, 1);
        }
        browser.login("admin", password);

        String first = browser.page("/files");
        assertThat(first).contains(">file0<", ">file199<").doesNotContain(">file200<");
        assertThat(browser.page(linkToNext(first))).contains(">file200<").doesNotContain(">file199<", "rel=\"next\"");
    }

    private static String linkToNext(String page) {
        return page.replaceAll("(?s).*rel=\"next\" href=\"([^\"]*)\".*", "$1").replace("&amp;", "&");
    }

    private Browser newBrowser() {
        return new Browser("http://" + Addresses.format(server.address()) + "/");
    }
}
