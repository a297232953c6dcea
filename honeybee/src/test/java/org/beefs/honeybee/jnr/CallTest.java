package org.beefs.honeybee.jnr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.mount.Callers;
import org.junit.jupiter.api.Test;

class CallTest {
    private final CompletableFuture<String> operation = new CompletableFuture<>();
    private boolean interrupted;
    private int looks;
    private Runnable look = () -> {};
    private Callers.State state = Callers.State.ALIVE;
    private final Call call = new Call(new TestSession(), 0, 0, 1, 0);

    @Test
    void shouldTellThatAnInterruptedOperationHasSucceededAllTheSame() {
        interrupted = true;

        assertThat(call.await(operation, () -> operation.complete("locked"))).isEqualTo("locked");
    }

    @Test
    void shouldCancelAnInterruptedOperationThatDoesNotEndSoThatItUndoesWhatItBrings() {
        interrupted = true;

        assertFails(Errno.EINTR, () -> call.await(operation, () -> {}));

        assertThat(operation).isCancelled();
    }

    @Test
    void shouldTakeWhatComesBeforeItIsCancelled() {
        state = Callers.State.BEING_KILLED;
        look = () -> operation.complete("locked");

        assertThat(call.await(operation, () -> {})).isEqualTo("locked");
    }

    @Test
    void shouldGoOnWithWhatSignalsDoNotEnd() {
        interrupted = true;
        look = () -> {
            if (looks == 2) {
                operation.complete("answer");
            }
        };

        assertThat(call.await(operation)).isEqualTo("answer");
    }

    @Test
    void shouldGiveUpWhatAKilledProgramWaitsFor() {
        state = Callers.State.BEING_KILLED;

        assertFails(Errno.EINTR, () -> call.await(operation));

        assertThat(operation).isCancelled();
    }

    @Test
    void shouldTakeWhatComesWhileItIsLookedAtWhetherAnybodyWaits() {
        state = Callers.State.BEING_KILLED;
        look = () -> operation.complete("opened");

        assertThat(call.await(operation)).as("or nobody would close it").isEqualTo("opened");
    }

    private static void assertFails(Errno errno, Runnable waiting) {
        assertThatThrownBy(waiting::run)
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(errno));
    }

    private final class TestSession implements Call.Session {
        @Override
        public Callers callers() {
            return new Callers() {
                @Override
                public Credentials credentials(int uid, int gid, int pid) {
                    return Credentials.getDefaultInstance();
                }

                @Override
                public State state(int pid) {
                    looks++;
                    look.run();
                    return state;
                }

                @Override
                public boolean isExiting(int pid) {
                    return false;
                }
            };
        }

        @Override
        public boolean isInterrupted() {
            return interrupted;
        }

        @Override
        public boolean hasEnded() {
            return false;
        }
    }
}
