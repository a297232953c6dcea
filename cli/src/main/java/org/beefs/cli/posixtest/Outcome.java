package org.beefs.cli.posixtest;

/**
 * What became of one test.
 *
 * @param suite name of the suite
 * @param area what is tested, such as {@code chmod}
 * @param test name within the suite
 * @param detail why it failed or was skipped; empty when it passed
 */
public record Outcome(String suite, String area, String test, Verdict verdict, String detail) {
    public enum Verdict {
        PASSED,
        FAILED,
        SKIPPED
    }

    boolean failed() {
        return verdict == Verdict.FAILED;
    }
}
