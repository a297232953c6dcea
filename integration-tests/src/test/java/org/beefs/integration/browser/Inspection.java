package org.beefs.integration.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What every page must be, however one looks at it: accessible, no wider than the window, and nothing that the browser
 * complains about.
 */
public final class Inspection {
    /**
     * Where things are depends on the width, what can be told apart on the scheme: both are seen twice, in two looks.
     */
    private static final List<Look> LOOKS = List.of(Look.PHONE_DARK, Look.DESKTOP);

    private static final String AXE = axe();

    /** WCAG 2.1 and 2.2, levels A and AA. Answers what is wrong, and where. */
    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"] }).then(
              found => done(found.violations.map(rule => rule.id + ": " + rule.help + "\\n"
                + rule.nodes.map(node => "  " + node.html + "\\n  " + node.failureSummary).join("\\n"))),
              failure => done(["axe failed: " + failure]));
            """;

    /** What sticks out to the right, and is not in something that scrolls. */
    private static final String TOO_WIDE = """
            const width = arguments[0];
            if (document.documentElement.scrollWidth <= width) return [];
            return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > width + 1)
              .map(e => e.outerHTML.slice(0, 200));
            """;

    private final Chromium browser;

    public Inspection(Chromium browser) {
        this.browser = browser;
    }

    public void inspect(String name, String path) {
        browser.open(path);
        inspect(name);
    }

    /** The same where the browser complains of the page's status. */
    public void inspectFailure(String name, String path) {
        browser.open(path);
        browser.complaints();
        inspect(name);
    }

    /** Looks at the page that is open in every way, and stores screenshots of that. */
    public void inspect(String name) {
        browser.run(AXE);
        LOOKS.forEach(look -> inspect(name, look));
        assertThat(browser.complaints()).as(name).isEmpty();
    }

    private void inspect(String name, Look look) {
        String seen = name + "-" + look.name();
        browser.look(look);
        browser.screenshot(seen);
        assertThat((List<?>) browser.run(TOO_WIDE, look.width()))
                .as(seen + " is no wider than the window")
                .isEmpty();
        assertThat((List<?>) browser.runUntilDone(RUN))
                .as(seen + " is accessible")
                .isEmpty();
    }

    private static String axe() {
        try (InputStream script = Inspection.class.getResourceAsStream("/axe.min.js")) {
            if (script == null) {
                throw new IllegalStateException("axe.min.js is not on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
