package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.integration.browser.Chromium;
import org.beefs.integration.browser.HostileNames;
import org.beefs.integration.browser.Inspection;
import org.beefs.integration.browser.Look;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.lock.Locker;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import tools.jackson.databind.json.JsonMapper;

/** The console as people use it: in a real browser, by mouse and by keyboard, on large screens and on phones, on a hive in which not all is well. */
@InHive
@Requires(programs = {"chromium", "chromedriver"})
class ConsoleBrowserIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int ENTRIES = 230;

    @Test
    void shouldBeReadableByEverybody(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            lookAtEmptyPages(browser);
            makeFiles(hive);
            hive.role("desktop2").kill();
            restartQueenBee(hive, browser);
            try (Locker holder = Locker.with(hive.mount().resolve("report.odt"));
                    Locker waiter = Locker.with(hive.mount().resolve("report.odt"))) {
                holder.ask("lock record try f exclusive 0 10");
                waiter.begin("lock record wait f exclusive 0 10");
                lookAtPages(hive, browser);
                holder.ask("lock record try f unlocked 0 10");
                waiter.answer();
            }
        }
    }

    private static void lookAtEmptyPages(Chromium browser) {
        browser.look(Look.DESKTOP);
        for (String page : List.of("", "files", "replication", "without", "clients", "events", "access")) {
            browser.open("/" + page);
            browser.screenshot(page + "-empty");
        }
        assertThat(browser.complaints()).isEmpty();
    }

    private static void makeFiles(Hive hive) throws IOException {
        Files.writeString(hive.mount().resolve("report.odt"), "content");
        Path many = Files.createDirectory(hive.mount().resolve("many"));
        for (int i = 0; i < ENTRIES; i++) {
            Files.writeString(many.resolve("measurement-%04d.csv".formatted(i)), "content");
        }
        Path deep = hive.mount();
        for (int i = 0; i < 12; i++) {
            deep = Files.createDirectory(deep.resolve("a folder with a long name, number " + i));
        }
        Files.writeString(deep.resolve("deep"), "content");
        HostileNames.create(hive.mount().resolve("hostile"));
    }

    /** An open page tells that she does not answer; as all sessions end with her, it then goes to where one logs in. */
    private static void restartQueenBee(Hive hive, Chromium browser) {
        browser.open("/");
        hive.queenBee().kill();
        browser.awaitText("The queen-bee does not answer");
        browser.screenshot("no-answer");
        hive.queenBee().restart();
        Await.until(SOON, "the page goes to the login", () -> browser.path().equals("/login"));
        new Inspection(browser).inspect("login");
        logIn(browser, newPassword(hive));
    }

    private static void lookAtPages(Hive hive, Chromium browser) {
        String file = inode(hive, "/report.odt");
        String many = inode(hive, "/many");
        Await.until(SOON, "replicas are counted", () -> {
            browser.open("/replication");
            return browser.text().contains("Nobody waits") || browser.text().contains("of 2");
        });
        Inspection inspection = new Inspection(browser);
        inspect(browser, inspection, "hive", "/");
        inspect(browser, inspection, "desktops", "/desktops");
    }

    private static void inspect(Chromium browser, Inspection inspection, String name, String path) {
        browser.open(path);
        inspection.inspect(name);
    }

    private static String inode(Hive hive, String path) {
        String listed = hive.beefs("ls", path, "--json").run().output();
        return JsonMapper.shared().readTree(listed.lines().findFirst().orElseThrow()).get("inode").asString();
    }

    private static void logIn(Chromium browser, String password) {
        browser.open("/");
        browser.fill(By.id("name"), "admin");
        browser.fill(By.id("password"), password);
        browser.press(Keys.ENTER);
        assertThat(browser.path()).isEqualTo("/");
    }

    private static String address(Hive hive) {
        return hive.beefs("console").run().output().strip();
    }

    private static String newPassword(Hive hive) {
        String output = hive.beefs("console", "--new-password").run().output();
        Matcher password = Pattern.compile("with the password (\\S+) ").matcher(output);
        assertThat(password.find()).as(output).isTrue();
        return password.group(1);
    }
}
