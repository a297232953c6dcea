package org.beefs.integration.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.beefs.integration.suite.Pjdfstest.Verdict;
import org.junit.jupiter.api.Test;

class PjdfstestTest {
    @Test
    void shouldReadVerdictsAndNothingElse() {
        String output = """
                unlink::remove_type::symlink                  ok
                chmod::erofs_named                            skipped
                \tRemounts (allow_remount) are not allowed in the configuration file
                link::exdev_target                            FAILED
                \tassertion `left == right` failed
                   3: std::sys::backtrace::__rust_end_short_backtrace

                Summary: 1 failed, 1 skipped, 1 passed, 0 expected failures, 3 total
                """;
        assertThat(Pjdfstest.parse(output))
                .containsOnly(
                        entry("unlink::remove_type::symlink", Verdict.PASSED),
                        entry("chmod::erofs_named", Verdict.SKIPPED),
                        entry("link::exdev_target", Verdict.FAILED));
    }
}
