package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.beefs.queenbee.console.Browser;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The web console and the commands that use its REST interface, on a real hive. */
@InHive
class ConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final List<String> PAGES = List.of(
            "/",
            "/desktops",
            "/desktops/desktop1",
            "/files",
            "/replication",
            "/without",
            "/clients",
            "/events",
            "/recovery",
            "/settings",
            "/access");
    private static final String HOSTILE = "<b>\"'\n\u001b[31m";

    @Test
    void shouldExplainAHiveAndActOnIt(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path file = Files.writeString(hive.mount().resolve("report"), "content");
        Files.writeString(hive.mount().resolve(HOSTILE), "content");
        String address = hive.beefs("console").run().output().strip();
        String password = newPassword(hive);
        try (Browser browser = new Browser(address)) {
            assertThat(browser.get("/").statusCode()).isEqualTo(303);
            assertThat(browser.login("admin", password)).isTrue();

            Await.until(
                    SOON,
                    "the console knows the mount",
                    () -> browser.page("/clients").contains(hive.mount().toString()));
            PAGES.forEach(page ->
                    assertThat(browser.page(page)).as(page).contains("<h1>").doesNotContain("<b>\""));
            assertThat(browser.page("/desktops")).contains(">desktop1<", ">desktop2<");
            assertThat(browser.page("/files")).contains(">report<");
            assertThat(browser.page("/files?name=REP")).contains(">/report<");

            String page = browser.press("/desktops", "Drain", "/desktops/desktop2/drain", Map.of());
            assertThat(page).contains("desktop2 is draining.");
            assertThat(hive.beefs("status").run().output()).containsPattern("desktop2.*drain(ed|ing)");
            browser.press("/desktops", "Stop draining", "/desktops/desktop2/drain", Map.of());
            assertThat(hive.beefs("status").run().output()).doesNotContainPattern("desktop2.*drain(ed|ing)");
            assertThat(events(hive, "--kind", "action"))
                    .contains("desktop2 is draining (admin)", "desktop2 takes replicas again (admin)");
            assertThat(hive.beefs("drain", "desktop2", "--cancel", "--json")
                            .run()
                            .output())
                    .contains("\"desktop\":\"desktop2\"");
            assertThat(events(hive, "--kind", "action"))
                    .contains("desktop2 takes replicas again (root at the command line)");

            browser.press("/desktops/desktop2", "Set", "/desktops/desktop2/room", Map.of("value", "2nd floor"));
            assertThat(browser.page("/desktops")).contains("<h2>2nd floor</h2>");
            assertThat(browser.page("/desktops/desktop1")).contains("When it was there", "<rect class=\"awake\"");
            drill(browser);
            pause(hive, browser);
            changeReplication(hive, browser, file);
            eject(browser, file);

            assertThat(hive.beefs("wake", "desktop2").runToAnyEnd().errors()).contains("desktop2 is awake already");
            assertThat(hive.beefs("wake", "desktop9").runToAnyEnd().errors()).contains("desktop9");

            hive.role("desktop2").kill();
            Await.until(
                    SOON,
                    "the console sees that desktop2 is away",
                    () -> browser.page("/desktops").contains("/desktops/desktop2/wake"));
            assertThat(browser.press("/desktops", "Wake", "/desktops/desktop2/wake", Map.of()))
                    .containsPattern(
                            "desktop2 is called to wake up|no hardware address of desktop2|no network of desktop2");
            browser.press("/desktops", "Give up", "/desktops/desktop2/lost", Map.of());
            assertThat(hive.beefs("status").runToAnyEnd().output()).containsPattern("desktop2.*lost");
        }

        Result listed = hive.beefs("ls").run();
        assertThat(listed.output()).containsPattern("report +desktop1\\*").doesNotContain("\u001b");
        assertThat(hive.beefs("ls", "/report", "--json").run().output()).contains("\"path\":\"/report\"");
        assertThat(hive.beefs("find", "repor?").run().output()).contains("/report");
        assertThat(hive.beefs("top", "--times", "1", "--interval", "1s").run().output())
                .contains("requests/s, half in");
        assertThat(hive.beefs("top", "--interval", "0s").runToAnyEnd().exitCode())
                .isEqualTo(2);
        assertThat(hive.beefs("du").run().output()).containsPattern("7 B .* report\n");
        assertThat(hive.beefs("du", "/report", "--json").run().output()).containsPattern("\"bytes\" *: *7\\b");
        assertThat(hive.beefs("du", "/none").runToAnyEnd().exitCode()).isEqualTo(1);
        assertThat(hive.beefs("ls", "/none").runToAnyEnd().exitCode()).isEqualTo(1);
        Files.delete(file);
        assertThat(hive.beefs("find", "repor?").run().output()).doesNotContain("/report");
    }

    private static void drill(Browser browser) {
        assertThat(browser.press("/recovery", "Start a drill", "/recovery/drill", Map.of()))
                .contains("The drill of the recovery has begun.");
        Await.until(
                SOON, "the drill is passed", () -> browser.page("/recovery").contains("The namespace can be rebuilt"));
    }

    private static void pause(Hive hive, Browser browser) {
        String page = browser.press("/desktops", "Pause 1h", "/desktops/desktop2/pause", Map.of());
        assertThat(page).contains("desktop2 is paused for 1h.");
        Await.until(
                SOON,
                "desktop2 tells that it is paused",
                () -> browser.page("/desktops").contains("paused for"));
        assertThat(hive.beefs("status").run().output()).containsPattern("desktop2.*paused");
        browser.press("/desktops", "Go on", "/desktops/desktop2/pause", Map.of());
        Await.until(
                SOON,
                "desktop2 tells that it goes on",
                () -> !browser.page("/desktops").contains("paused for"));
    }

    private static void changeReplication(Hive hive, Browser browser, Path file) {
        String listed = hive.beefs("ls", "/report", "--json").run().output();
        String inode = JsonMapper.shared().readTree(listed).get("inode").asString();
        String page = browser.press(
                "/files?inode=" + inode, "Set", "/files/" + inode + "/settings/replicas", Map.of("value", "1"));
        assertThat(page).contains("replicas is 1.", "its own");
        assertThat(hive.beefs("get", file.toString()).run().output()).containsPattern("replicas +1 +its own");
        browser.press("/files?inode=" + inode, "As the hive", "/files/" + inode + "/settings/replicas", Map.of());
        assertThat(hive.beefs("get", file.toString()).run().output()).doesNotContain("its own");
    }

    /** The mount goes on with a new session. */
    private static void eject(Browser browser, Path file) throws IOException {
        assertThat(browser.press("/clients", "Eject", "/clients/desktop1", Map.of()))
                .contains("desktop1 is ejected");
        assertThat(file).hasContent("content");
        Files.writeString(file, "content");
    }

    @Test
    void shouldAnswerCommandsAlsoWithoutItsWebServer(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        hive.down();
        Path configuration = hive.queenBee().folder().resolve("queenbee.toml");
        Files.writeString(
                configuration, Files.readString(configuration).replaceFirst("listen = \"[^\"]*\"", "listen = \"off\""));

        Result up = hive.up();

        assertThat(up.output()).doesNotContain("The console is at");
        assertThat(hive.beefs("console").run().output()).contains("off");
        assertThat(events(hive)).contains("the queen-bee has started");
        assertThat(hive.beefs("ls", "--json").run().output()).isEmpty();
        assertThat(hive.beefs("console", "--new-token", "prometheus").run().output())
                .startsWith("beefs_")
                .contains("viewer");
        JsonNode token = JsonMapper.shared()
                .readTree(hive.beefs("console", "--list", "--json").run().output())
                .get("tokens")
                .get(0);
        assertThat(token.get("name").asString()).isEqualTo("prometheus");
        hive.beefs("console", "--remove-token", token.get("id").asString()).run();
        assertThat(hive.beefs("console", "--list").run().output()).doesNotContain("prometheus");
    }

    @Test
    void shouldGiveAwayOneFirstPasswordWhenTwoBringUpAHive(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        hive.down();
        Files.delete(hive.queenBee().folder().resolve("console/accounts.json"));

        String shown;
        Program up = hive.beefs("up", hive.mount().toString());
        try (RunningProgram one = up.start();
                RunningProgram other = up.start()) {
            shown = one.await(SOON).mustSucceed().output()
                    + other.await(SOON).mustSucceed().output();
        }

        assertThat(shown).containsOnlyOnce("with the password");
    }

    private static String events(Hive hive, String... options) {
        String[] command =
                Stream.concat(Stream.of("events"), Stream.of(options)).toArray(String[]::new);
        return hive.beefs(command).run().output();
    }

    private static String newPassword(Hive hive) {
        String output = hive.beefs("console", "--new-password").run().output();
        Matcher password = Pattern.compile("with the password (\\S+) ").matcher(output);
        assertThat(password.find()).as(output).isTrue();
        return password.group(1);
    }
}
