package org.beefs.common.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void shouldFindTheErrnoBelowWrappings() {
        PosixException cause = new PosixException(Errno.ENOENT, "no such file");

        assertThat(Failures.toPosix(new CompletionException(new ExecutionException(cause))))
                .isSameAs(cause);
        assertThat(Failures.isUnforeseen(new CompletionException(cause))).isFalse();
    }

    @Test
    void shouldTakeCancellationForEcanceled() {
        assertThat(Failures.toPosix(new CancellationException()).errno()).isEqualTo(Errno.ECANCELED);
    }

    @Test
    void shouldTakeEverythingElseForEio() {
        PosixException failure = Failures.toPosix(new CompletionException(new ArithmeticException("by zero")));

        assertThat(failure.errno()).isEqualTo(Errno.EIO);
        assertThat(failure).hasMessageContaining("by zero");
        assertThat(Failures.isUnforeseen(new ArithmeticException())).isTrue();
    }

    @Test
    void shouldKeepAWrappingWithoutCause() {
        assertThat(Failures.unwrap(new CompletionException("alone", null))).isInstanceOf(CompletionException.class);
    }
}
