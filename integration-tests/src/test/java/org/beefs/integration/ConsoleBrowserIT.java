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
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.lock.Locker;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/**
 * The console as people use it: in a real browser, by mouse and by keyboard, on large screens and on phones, on a hive
 * in which not all is well.
 */
@InHive
@Requires(programs = {"chromium", "chromedriver"})
class ConsoleBrowserIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** More than one page of a folder has. */
    private static final int ENTRIES = 230;

    /** Tab reaches everything on the way to what a test wants. */
    private static final int MOST_TABS = 100;

    @Test
    void shouldBeReadableByEverybody(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        makeFiles(hive);
        hive.role("desktop2").kill();
        Path report = hive.mount().resolve("report.odt");
        try (Chromium browser = Chromium.at(address(hive));
                Locker holder = Locker.with(report);
                Locker waiter = Locker.with(report)) {
            holder.ask("lock record try f exclusive 0 10");
            waiter.begin("lock record wait f exclusive 0 10");
            logIn(browser, newPassword(hive));
            lookAtPages(hive, browser);
            lookWhoWaits(browser, holder.pid());
            holder.ask("lock record try f unlocked 0 10");
            waiter.answer();
        }
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
        Path hostile = HostileNames.create(hive.mount().resolve("hostile"));
        hive.beefs("set", hostile.toString(), "--replicas", "2").run();
    }

    private static void lookAtPages(Hive hive, Chromium browser) {
        for (Look look : List.of(Look.PHONE, Look.DESKTOP_DARK)) {
            browser.look(look);
            openHive(browser);
            browser.screenshot("hive-" + look.name());
        }
        Inspection inspection = new Inspection(browser);
        openHive(browser);
        inspection.inspect("hive");
        inspection.inspect("desktops", "/desktops");
        inspection.inspect("desktop", "/desktops/desktop1");
        inspection.inspect("desktop-away", "/desktops/desktop2");
        inspection.inspect("files", "/files");
        inspection.inspect("file", "/files?inode=" + inode(hive, "/report.odt"));
        browser.awaitText("Somebody writes it here");
        browser.open("/files");
        browser.click(By.linkText("many/"));
        inspection.inspect("folder-many");
        browser.click(By.linkText("More"));
        browser.click(By.linkText("/"));
        browser.click(By.linkText("hostile/"));
        inspection.inspect("folder-hostile");
        browser.awaitText("<img src=x onerror=alert(1)>");
        inspection.inspect("search", "/files?name=e");
        inspection.inspect("usage", "/files?usage=yes&inode=1");
        inspection.inspect("replication", "/replication");
        browser.awaitText("1 of 2");
        inspection.inspect("without", "/without?off=desktop1");
        browser.awaitText("could not be read");
        inspection.inspect("clients", "/clients");
        inspection.inspect("events", "/events");
        inspection.inspect("recovery", "/recovery");
        inspection.inspect("settings", "/settings");
        inspection.inspect("access", "/access");
        inspection.inspectFailure("no-such-page", "/none");
        inspection.inspectFailure("no-such-file", "/files?inode=4711000");
    }

    private static void openHive(Chromium browser) {
        browser.open("/");
        browser.awaitText("1 desktop is asleep.");
        browser.await(By.cssSelector("#chart-traffic canvas"));
    }

    private static void lookWhoWaits(Chromium browser, long holder) {
        browser.open("/clients");
        browser.awaitText("process %d on desktop1".formatted(holder));
        browser.click(By.linkText("desktop1"));
        browser.awaitText("record, exclusive " + holder);
    }

    @Test
    void shouldLetAdministratorsAct(Hives hives) throws IOException {
        Hive hive = atAnUnusualPort(hives.create(2));
        Files.writeString(hive.mount().resolve("report.odt"), "content");
        try (Chromium browser = Chromium.at(address(hive))) {
            refuseWrongPassword(browser);
            logIn(browser, newPassword(hive));
            lookAtEmptyPages(browser);
            drainByKeyboard(hive, browser);
            pause(browser);
            sayTheRoom(browser);
            changeReplication(hive, browser);
            stayUpToDate(hive, browser);
            keepTheFocus(browser);
            lookAtOneThatLeaves(hive, browser);
            changeSettings(browser, address(hive));
            restart(hive, browser);
            logIn(browser, newPassword(hive));
            wake(hive, browser);
            assertThat(browser.complaints()).isEmpty();
            leave(hive, browser);
        }
    }

    /**
     * The usual one would be another hive's while this queen-bee does not run, and the browser would go on with that.
     */
    private static Hive atAnUnusualPort(Hive hive) {
        hive.queenBee()
                .restartWith(
                        settings -> settings.replaceFirst("listen = \"127.0.0.1:7070\"", "listen = \"127.0.0.1:0\""));
        return hive;
    }

    private static void refuseWrongPassword(Chromium browser) {
        enter(browser, "wrong");
        assertThat(browser.text(By.cssSelector("[role=alert]"))).contains("It did not work");
        new Inspection(browser).inspectFailure("login-failed", browser.path());
    }

    private static void lookAtEmptyPages(Chromium browser) {
        browser.look(Look.DESKTOP);
        for (String page : List.of("replication", "without", "clients", "events", "access")) {
            browser.open("/" + page);
            browser.screenshot(page + "-empty");
        }
    }

    /** To the page's content by the first link, then to the button; the note of what was done has the focus. */
    private static void drainByKeyboard(Hive hive, Chromium browser) {
        browser.open("/desktops");
        browser.press(Keys.TAB);
        assertThat(browser.focused()).isEqualTo("To the content");
        browser.press(Keys.ENTER);
        tabTo(browser, "do-POST-desktops-desktop2-drain");
        assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");
        browser.press(Keys.ENTER);
        assertThat(browser.accept()).contains("Empty desktop2");
        browser.await(By.id("do-DELETE-desktops-desktop2-drain"));
        assertThat(browser.focused()).startsWith("desktop2 is ");
        assertThat(hive.beefs("status").run().output()).containsPattern("desktop2.*drain(ed|ing)");
        browser.click(By.id("do-DELETE-desktops-desktop2-drain"));
        browser.awaitText("desktop2 takes replicas again.");
    }

    private static void tabTo(Chromium browser, String id) {
        for (int i = 0; i < MOST_TABS; i++) {
            browser.press(Keys.TAB);
            if (id.equals(browser.run("return document.activeElement.id"))) {
                return;
            }
        }
        throw new AssertionError("Tab does not come to " + id);
    }

    /** The desktop says so itself, and the page hears it. */
    private static void pause(Chromium browser) {
        browser.open("/desktops");
        browser.click(By.id("do-POST-desktops-desktop2-pause"));
        browser.awaitText("awake, paused for");
        browser.click(By.id("do-DELETE-desktops-desktop2-pause"));
        browser.await(By.id("do-POST-desktops-desktop2-pause"));
    }

    private static void sayTheRoom(Chromium browser) {
        browser.open("/desktops/desktop2");
        browser.fill(By.cssSelector("main input[name=value]"), "2nd floor <b>");
        browser.press(Keys.ENTER);
        browser.awaitText("Room: 2nd floor <b>");
        browser.open("/desktops");
        browser.awaitText("2nd floor <b>");
        new Inspection(browser).inspect("desktops-by-room");
    }

    private static void changeReplication(Hive hive, Chromium browser) {
        browser.open("/files");
        browser.click(By.linkText("report.odt"));
        By replicas = By.id("do-value-files-%s-settings-replicas".formatted(inode(hive, "/report.odt")));
        browser.fill(replicas, "many");
        browser.press(Keys.ENTER);
        browser.awaitText("It was not done:");
        new Inspection(browser).inspect("form-error");
        browser.fill(replicas, "1");
        browser.press(Keys.ENTER);
        browser.awaitText("its own");
        assertThat(hive.beefs("get", hive.mount().resolve("report.odt").toString())
                        .run()
                        .output())
                .containsPattern("replicas +1 +its own");
    }

    /** What happens elsewhere appears on a page that nobody loads again. */
    private static void stayUpToDate(Hive hive, Chromium browser) {
        browser.open("/events");
        browser.run("window.loadedOnce = true");
        hive.beefs("drain", "desktop2").run();
        hive.beefs("drain", "desktop2", "--cancel").run();
        browser.awaitText("desktop2 takes replicas again root at the command line");
        assertThat(browser.run("return window.loadedOnce")).isEqualTo(true);
    }

    private static void keepTheFocus(Chromium browser) {
        browser.open("/desktops");
        browser.run("document.querySelector('tbody a[href=\"/desktops/desktop2\"]').focus()");
        awaitRefresh(browser);
        assertThat(browser.focused()).isEqualTo("desktop2");
    }

    /** Of a desktop without honeycomb nothing is left then; the page that shows it must not do so for ever. */
    private static void lookAtOneThatLeaves(Hive hive, Chromium browser) {
        Path mount = hive.mount().resolveSibling("laptop-view");
        hive.beefs("mount", mount.toString(), "--desktop", "laptop").run();
        browser.open("/desktops");
        browser.awaitText("laptop");
        browser.click(By.linkText("laptop"));
        browser.awaitText("mounts only");
        hive.beefs("umount", mount.toString()).run();
        Posix.kill(hive.role("laptop").pid(), Posix.SIGTERM);
        browser.awaitText("has nothing more to show here");
    }

    /**
     * A wrong value is refused; a right one is kept for the next start. So she can be found again then, also where her
     * port was taken.
     */
    private static void changeSettings(Chromium browser, String address) {
        browser.open("/settings");
        By listen = By.id("do-value-settings-console_2elisten");
        browser.fill(listen, "nowhere");
        browser.press(Keys.ENTER);
        browser.awaitText("It was not done:");
        browser.fill(listen, address.replaceAll("^http://|/$", ""));
        browser.press(Keys.ENTER);
        browser.awaitText("from the queen-bee's next start on");
    }

    /** An open page tells that she does not answer; as all sessions end with her, it then goes to where one logs in. */
    private static void restart(Hive hive, Chromium browser) {
        browser.open("/");
        browser.await(By.className("health"));
        Role queenBee = hive.queenBee();
        queenBee.kill();
        browser.awaitText("The queen-bee does not answer");
        browser.screenshot("no-answer");
        queenBee.restart();
        awaitLogin(browser);
        browser.complaints();
        new Inspection(browser).inspect("login");
    }

    private static void wake(Hive hive, Chromium browser) {
        browser.open("/desktops");
        hive.role("desktop2").kill();
        browser.awaitText("away for");
        browser.click(By.id("do-POST-desktops-desktop2-wake"));
        assertThat(browser.text(By.cssSelector(".note[autofocus]")))
                .containsPattern(
                        "desktop2 is called to wake up|no hardware address of desktop2|no network of desktop2");
    }

    private static void awaitLogin(Chromium browser) {
        Await.until(SOON, "the page goes to the login", () -> browser.path().equals("/login"));
    }

    /** By a button, and because the session is over. */
    private static void leave(Hive hive, Chromium browser) {
        browser.click(By.xpath("//button[.='Log out']"));
        awaitLogin(browser);
        logIn(browser, newPassword(hive));
        browser.forgetCookies();
        awaitLogin(browser);
    }

    /** Its name is part of ids, by which scripts look for what is to stay. */
    @Test
    void shouldGoOnShowingADesktopWithDotsInItsName(Hives hives) {
        Hive hive = hives.create(1);
        Path mount = hive.mount().resolveSibling("laptop-view");
        hive.beefs("mount", mount.toString(), "--desktop", "laptop.example.org").run();
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            openPageOf(browser, "laptop.example.org");
            awaitRefresh(browser);
            awaitRefresh(browser);
            browser.fill(By.cssSelector("main input[name=value]"), "cellar");
            browser.press(Keys.ENTER);
            browser.awaitText("Room: cellar");
            assertThat(browser.complaints()).isEmpty();
        }
        hive.beefs("umount", mount.toString()).run();
    }

    @Test
    void shouldLeaveEverythingInItsPlaceWhenAPageIsBroughtUpToDate(Hives hives) {
        Hive hive = hives.create(1);
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            openPageOf(browser, "desktop1");
            keepThePlaceOfTheKeyboard(browser);
            openPageOf(browser, "desktop1");
            browser.run("delete Element.prototype.moveBefore"); // as in browsers that do not have it
            keepThePlaceOfTheKeyboard(browser);
            browser.open("/desktops");
            keepTablesMovedAside(browser);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** The console knows a new desktop once it has looked again. */
    private static void openPageOf(Chromium browser, String desktop) {
        browser.open("/desktops");
        browser.awaitText(desktop);
        browser.open("/desktops/" + desktop);
    }

    private static void keepThePlaceOfTheKeyboard(Chromium browser) {
        browser.fill(By.cssSelector("main input[name=value]"), "2nd");
        browser.run("document.activeElement.setSelectionRange(1, 2)");
        awaitRefresh(browser);
        assertThat(browser.run("const field = document.activeElement;"
                        + "return `${field.value} ${field.selectionStart} ${field.selectionEnd}`"))
                .isEqualTo("2nd 1 2");
        browser.press(Keys.TAB);
        assertThat(browser.focused()).isEqualTo("Set");
        awaitRefresh(browser);
        assertThat(browser.focused()).isEqualTo("Set");
    }

    private static void keepTablesMovedAside(Chromium browser) {
        browser.run("[...document.styleSheets].at(-1).insertRule('.scroll table { width: 300rem }')");
        browser.run("document.querySelector('.scroll').scrollLeft = 150");
        awaitRefresh(browser);
        assertThat(browser.run("return document.querySelector('.scroll').scrollLeft"))
                .isEqualTo(150L);
    }

    private static void awaitRefresh(Chromium browser) {
        browser.run("document.getElementById('live').dataset.old = 'yes'");
        Await.until(
                SOON,
                "the page is brought up to date",
                () -> browser.run("return document.getElementById('live').dataset.old") == null);
    }

    /** As on a connection that a firewall on the way has forgotten. */
    @Test
    void shouldGoOnWhenARefreshIsNeverAnswered(Hives hives) {
        Hive hive = hives.create(1);
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            browser.open("/desktops");
            browser.run("const open = XMLHttpRequest.prototype.open;"
                    + "XMLHttpRequest.prototype.open = function(method, url, ...rest) {"
                    + "  open.call(this, method, window.lost ? url : '/stream', ...rest); window.lost = true }");
            Await.until(SOON, "a refresh is lost", () -> browser.run("return window.lost") != null);
            awaitRefresh(browser);
        }
    }

    /** Browsers have six connections with a host: those that tabs in the background hold the one in front lacks. */
    @Test
    void shouldListenOnlyInATabThatSomebodyLooksAt(Hives hives) {
        Hive hive = hives.create(1);
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            browser.runFirst("Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
                    + "window.EventSource = class extends EventSource {"
                    + "  constructor(address) { super(address); window.listens = true } }");
            browser.open("/desktops");
            assertThat(browser.run("return window.listens")).isNull();
            browser.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
            awaitRefresh(browser);
        }
    }

    /** As when her machine has lost its power, or its network: no connection ends. */
    @Test
    void shouldSayWhenNothingIsHeardOfTheQueenBee(Hives hives) {
        Hive hive = hives.create(1);
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            browser.open("/desktops");
            awaitRefresh(browser);
            hive.queenBee().stop();
            browser.awaitText("The queen-bee does not answer");
            hive.queenBee().resume();
            Await.until(SOON, "she is heard again", () -> !browser.text().contains("The queen-bee does not answer"));
        }
    }

    @Test
    void shouldTakeNoCommandsFromNames(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path folder = HostileNames.create(hive.mount().resolve("hostile"));
        shouldShowNamesWithoutObeying(hive, folder);
        try (Chromium browser = Chromium.at(address(hive))) {
            logIn(browser, newPassword(hive));
            browser.open("/files");
            browser.click(By.linkText("hostile/"));
            for (String name : List.of("<img src=x onerror=alert(1)>", "\"'><svg onload=alert(2)>")) {
                browser.click(By.linkText(name));
                browser.awaitText("/hostile/" + name);
                browser.fill(By.cssSelector("main input[name=value]"), "1");
                browser.press(Keys.ENTER);
                browser.awaitText("replicas is 1");
                browser.click(By.linkText("hostile/"));
            }
            browser.open("/events?kind=action");
            browser.awaitText("<img src=x onerror=alert(1)>");
            assertThat(browser.complaints()).isEmpty();
        }
        assertThat(hive.beefs("events").run().output()).doesNotContainPattern(HostileNames.COMMANDS);
        hive.roles()
                .forEach(role -> assertThat(role.log())
                        .as(role.name())
                        .doesNotContainPattern(HostileNames.COMMANDS)
                        .doesNotContainPattern("(?m)^(lines|red)"));
    }

    /** What commands print, also when they fail. */
    private static void shouldShowNamesWithoutObeying(Hive hive, Path folder) {
        String worst = folder.resolve(HostileNames.WORST).toString();
        shouldNotObey(hive.beefs("info", worst).run());
        shouldNotObey(hive.beefs("info", worst + "-missing").runToAnyEnd());
        shouldNotObey(hive.beefs("set", worst, "--replicas", "2").run());
        shouldNotObey(hive.beefs("get", worst).run());
        shouldNotObey(hive.beefs("ls", "/hostile").run());
        assertThat(hive.beefs("ls", "/hostile", "--json").run().output()).doesNotContain("\u001b", "\u0007", "\r");
        shouldNotObey(hive.beefs("du", "/hostile").run());
        shouldNotObey(hive.beefs("find", "*").run());
        shouldNotObey(
                hive.beefs("find", "*", "--under", "/" + HostileNames.WORST).runToAnyEnd());
    }

    private static void shouldNotObey(Result result) {
        assertThat(result.output()).as(result.toString()).doesNotContainPattern(HostileNames.COMMANDS);
        assertThat(result.errors()).as(result.toString()).doesNotContainPattern(HostileNames.COMMANDS);
    }

    private static String inode(Hive hive, String path) {
        String listed = hive.beefs("ls", path, "--json").run().output();
        return listed.replaceAll("(?s).*?\"inode\"\\s*:\\s*\"?(\\d+).*", "$1");
    }

    /** Whoever went on to another page at once could break the login off. */
    private static void logIn(Chromium browser, String password) {
        enter(browser, password);
        Await.until(
                SOON,
                () -> "the login succeeds, the page says: " + browser.text(),
                () -> !browser.path().equals("/login"));
    }

    private static void enter(Chromium browser, String password) {
        browser.open("/");
        browser.fill(By.id("name"), "admin");
        browser.fill(By.id("password"), password);
        browser.press(Keys.ENTER);
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
