package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InterruptibleWaitTest {
    private static final String GOES_ON = "it goes on";

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    @Test
    void shouldEndAPauseAndSayWhatGoesOn() {
        assertThatThrownBy(() -> InterruptibleWait.run(GOES_ON, () -> {
                    Thread.currentThread().interrupt();
                    InterruptibleWait.pause(Duration.ofHours(1));
                    return true;
                }))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("interrupted; it goes on");
    }

    @Test
    void shouldSayWhatGoesOnAlsoWhenItIsInterruptedWhileADaemonIsAsked() {
        assertThatThrownBy(() -> InterruptibleWait.run(GOES_ON, () -> {
                    Thread.currentThread().interrupt();
                    throw new IOException("closed by interrupt");
                }))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("interrupted; it goes on");
    }

    @Test
    void shouldFailAsWhatIsWaitedForDoes() {
        CommandFailure failure = new CommandFailure(ExitCode.FOLDER, "no room");

        assertThatThrownBy(() -> InterruptibleWait.run(GOES_ON, () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThatThrownBy(() -> InterruptibleWait.run(GOES_ON, () -> {
                    throw new IOException("no answer");
                }))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no answer");
        assertThat(InterruptibleWait.run(GOES_ON, () -> 7)).isEqualTo(7);
    }
}
