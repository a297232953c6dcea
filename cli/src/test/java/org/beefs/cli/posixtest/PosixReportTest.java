package org.beefs.cli.posixtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.beefs.cli.posixtest.Outcome.Verdict;
import org.junit.jupiter.api.Test;

class PosixReportTest {
    private static final Outcome PASSED = new Outcome("pjdfstest", "chmod", "one", Verdict.PASSED, "");
    private static final Outcome SKIPPED = new Outcome("pjdfstest", "chmod", "two", Verdict.SKIPPED, "no remounts");
    private static final Outcome FAILED = new Outcome("fsx", "content", "seed 3", Verdict.FAILED, "wrong byte");

    @Test
    void shouldCountByAreaAndNameEachFailure() {
        PosixReport report = new PosixReport("/hive", Map.of(), List.of(PASSED, SKIPPED, FAILED));

        assertThat(report.succeeded()).isFalse();
        assertThat(report.render()).isEqualTo("""
                SUITE      AREA     PASSED  FAILED  SKIPPED
                fsx        content       0       1        0
                pjdfstest  chmod         1       0        1
                all                      1       1        1

                Failed:
                  fsx content seed 3: wrong byte
                """);
    }

    @Test
    void shouldNotSucceedWithoutASuiteThatWasAskedFor() {
        PosixReport report = new PosixReport("/hive", Map.of("fsx", "it is not installed"), List.of(PASSED));

        assertThat(report.succeeded()).isFalse();
        assertThat(report.render()).endsWith("""

                Not run:
                  fsx: it is not installed
                """);
    }
}
