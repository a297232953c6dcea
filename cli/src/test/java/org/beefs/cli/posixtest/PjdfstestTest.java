package org.beefs.cli.posixtest;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.cli.posixtest.Outcome.Verdict;
import org.junit.jupiter.api.Test;

class PjdfstestTest {
    @Test
    void shouldReadVerdictsWithTheirReasonsAndNothingElse() {
        String output = """
                unlink::remove_type::symlink                  ok
                chmod::erofs_named                            skipped
                \tRemounts (allow_remount) are not allowed in the configuration file
                link::exdev_target                            FAILED
                \tassertion `left == right` failed
                \tleft: Ok
                   3: std::sys::backtrace::__rust_end_short_backtrace

                Summary: 1 failed, 1 skipped, 1 passed, 0 expected failures, 3 total
                """;

        assertThat(Pjdfstest.parse(output))
                .containsExactly(
                        new Outcome("pjdfstest", "unlink", "remove_type::symlink", Verdict.PASSED, ""),
                        new Outcome(
                                "pjdfstest",
                                "chmod",
                                "erofs_named",
                                Verdict.SKIPPED,
                                "Remounts (allow_remount) are not allowed in the configuration file"),
                        new Outcome(
                                "pjdfstest",
                                "link",
                                "exdev_target",
                                Verdict.FAILED,
                                "assertion `left == right` failed; left: Ok"));
    }
}
