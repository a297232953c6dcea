package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.process.Await;
import org.beefs.common.wire.UserActivity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What logind answers is known, with a program that answers as it does. */
@Timeout(120)
class LogindUserTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration PERIOD = Duration.ofMillis(200);

    @TempDir
    private Path folder;

    private Path answer;
    private Path hangs;
    private List<String> question;

    /** Each answer is what the file says; there is none while there is the other file. */
    @BeforeEach
    void makeProgram() {
        answer = folder.resolve("answer");
        hangs = folder.resolve("hangs");
        question = List.of("sh", "-c", "test -e " + hangs + " && exec sleep 3600; exec cat " + answer);
    }

    @Test
    void shouldKnowWhetherSomebodyUsesTheMachine() throws IOException {
        say("(<false>,)\n");
        try (LogindUser user = LogindUser.start(question, PERIOD)) {
            await(user, UserActivity.ACTIVE);
            say("(<true>,)\n");
            await(user, UserActivity.IDLE);
            say("(<false>,)\n");
            await(user, UserActivity.ACTIVE);
        }
    }

    @Test
    void shouldNotKnowWithoutAnAnswerAndAskAgain() throws IOException {
        say("(<false>,)\n");
        try (LogindUser user = LogindUser.start(question, PERIOD)) {
            await(user, UserActivity.ACTIVE);
            say("");
            await(user, UserActivity.UNKNOWN);
            say("(<false>,)\n");
            await(user, UserActivity.ACTIVE);
            Files.createFile(hangs);
            await(user, UserActivity.UNKNOWN);
            Files.delete(hangs);
            await(user, UserActivity.ACTIVE);
        }
    }

    @Test
    void shouldDoWithoutLogind() {
        try (LogindUser user = LogindUser.start(List.of("/no/such/program"), PERIOD)) {
            assertThat(user.activity()).isEqualTo(UserActivity.UNKNOWN);
        }
    }

    /** At once, so that no half of it is read. */
    private void say(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), text);
        Files.move(next, answer, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void await(LogindUser user, UserActivity wanted) {
        assertThat(Await.until(SOON, () -> user.activity() == wanted))
                .as(wanted.name())
                .isTrue();
    }
}
