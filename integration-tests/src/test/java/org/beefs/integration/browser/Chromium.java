package org.beefs.integration.browser;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Requirements;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A browser of its own, with a fresh profile. Closing it leaves neither processes nor folders behind, whatever
 * happened. For one thread.
 */
public final class Chromium implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration DEATH = Duration.ofSeconds(10);

    /** Of screenshots; what is below is more of the same. */
    private static final int TALLEST = 3000;

    /**
     * Warns of each browser that is newer than Selenium's own bindings of the DevTools protocol, which are not used
     * here. Kept, or it would be forgotten.
     */
    private static final Logger BINDINGS = Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

    static {
        BINDINGS.setLevel(Level.SEVERE);
    }

    /** For a test run that is itself ended by a signal. */
    private final Thread emergency = new Thread(this::clear);

    private final String address;
    private final Path profile;
    private final ChromeDriver driver;

    private Chromium(String address, Path profile, ChromeDriver driver) {
        this.address = address.replaceFirst("/$", "");
        this.profile = profile;
        this.driver = driver;
        Runtime.getRuntime().addShutdownHook(emergency);
    }

    /** One that looks at what is at this address; the test must require chromium and chromedriver. */
    public static Chromium at(String address) {
        Path profile = Folders.create("chromium");
        try {
            return new Chromium(address, profile, new ChromeDriver(service(profile), options(profile)));
        } catch (RuntimeException | Error e) {
            Folders.delete(profile);
            throw e;
        }
    }

    /** Paths are given, so that Selenium has nothing to look for or to download. */
    private static ChromeDriverService service(Path profile) {
        return new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(Requirements.path("chromedriver")))
                .usingAnyFreePort()
                .withEnvironment(Map.of("HOME", profile.toString(), "TMPDIR", profile.toString()))
                .build();
    }

    /** It asks nobody but the console: neither for updates nor for lists. */
    private static ChromeOptions options(Path profile) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions()
                .addArguments(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--disable-dev-shm-usage",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + profile);
        options.setBinary(Requirements.path("chromium"));
        options.setCapability("goog:loggingPrefs", logs);
        return options;
    }

    public void open(String path) {
        driver.get(address + path);
    }

    /** From now on each page runs that before its own scripts. */
    public void runFirst(String script) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    }

    /** Where it is, without the host. */
    public String path() {
        return driver.getCurrentUrl().substring(address.length());
    }

    public void forgetCookies() {
        driver.manage().deleteAllCookies();
    }

    /** What can be read on the page. */
    public String text() {
        return steady(() -> driver.findElement(By.tagName("body")).getText());
    }

    public String text(By what) {
        return steady(() -> driver.findElement(what).getText());
    }

    /** What can be read on that which has the focus. */
    public String focused() {
        return steady(() -> driver.switchTo().activeElement().getText());
    }

    /** Waits until the page shows that, without loading it again. */
    public void awaitText(String text) {
        Await.until(SOON, () -> "the page shows '" + text + "', but it is\n" + text(), () -> text().contains(text));
    }

    /** Waits until the page has that, without loading it again. */
    public void await(By what) {
        Await.until(
                SOON,
                () -> "the page has " + what + ", but it is\n" + text(),
                () -> !driver.findElements(what).isEmpty());
    }

    public void click(By what) {
        steady(() -> {
            driver.findElement(what).click();
            return true;
        });
    }

    /** Writes into a field. */
    public void fill(By field, String text) {
        steady(() -> {
            WebElement found = driver.findElement(field);
            found.clear();
            found.sendKeys(text);
            return true;
        });
    }

    /** Presses keys wherever the focus is. */
    public void press(Keys... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Answers the question that a page asks, and returns what it was. */
    public String accept() {
        String question = driver.switchTo().alert().getText();
        driver.switchTo().alert().accept();
        return question;
    }

    public @Nullable Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    @Nullable
    Object runUntilDone(String script) {
        return driver.executeAsyncScript(script);
    }

    /** Looks so from now on. */
    public void look(Look look) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width", look.width(),
                        "height", look.height(),
                        "deviceScaleFactor", 1,
                        "mobile", look.phone()));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", look.scheme()))));
    }

    /** Stores how the whole page looks as {@code target/screenshots/NAME.png}. */
    public void screenshot(String name) {
        Map<String, Object> clip = Map.of(
                "x", 0,
                "y", 0,
                "width", pixels("scrollWidth"),
                "height", Math.min(TALLEST, pixels("scrollHeight")),
                "scale", 1);
        Object image = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("clip", clip, "captureBeyondViewport", true))
                .get("data");
        try {
            Path folder = Files.createDirectories(Path.of("target", "screenshots"));
            Files.write(folder.resolve(name + ".png"), Base64.getDecoder().decode(String.valueOf(image)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int pixels(String measure) {
        Object pixels = run("return document.documentElement." + measure);
        return ((Number) Objects.requireNonNull(pixels)).intValue();
    }

    /**
     * What it has complained about since the last look: scripts that fail, files that are missing, what the page's
     * policy forbids.
     */
    public List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** Does something again when the page was brought up to date under its hands, or is only just being loaded. */
    private static <T> T steady(Supplier<T> action) {
        AtomicReference<T> done = new AtomicReference<>();
        AtomicReference<String> last = new AtomicReference<>("");
        Await.until(SOON, () -> "the page has what is asked for: " + last.get(), () -> {
            try {
                done.set(action.get());
                return true;
            } catch (StaleElementReferenceException | NoSuchElementException e) {
                last.set(e.toString());
                return false;
            }
        });
        return done.get();
    }

    @Override
    public void close() {
        clear();
        Runtime.getRuntime().removeShutdownHook(emergency);
    }

    private void clear() {
        List<ProcessHandle> processes =
                ProcessHandle.current().descendants().filter(this::isOwn).toList();
        try {
            driver.quit();
        } catch (WebDriverException alreadyGone) {
            // What is left of it is killed.
        }
        processes.forEach(ProcessHandle::destroyForcibly);
        Await.within(DEATH, () -> processes.stream().noneMatch(ProcessHandle::isAlive));
        Folders.delete(profile);
    }

    /**
     * Its processes have its profile's folder on their command line, except the first one's helpers, which end with it.
     */
    private boolean isOwn(ProcessHandle process) {
        return process.info().arguments().stream()
                .flatMap(Stream::of)
                .anyMatch(argument -> argument.contains(profile.toString()));
    }
}
