package org.beefs.queenbee.console.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a password lets in, and what becomes of those who guess. */
class LoginsTest {
    private static final String ADDRESS = "10.0.0.1";

    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private final List<Duration> waits = new ArrayList<>();
    private Runnable meanwhile = () -> {};
    private final SecureRandom random = new SecureRandom();
    private Runnable beforeTheSession = () -> {};
    private Accounts accounts;
    private WebSessions sessions;
    private Logins logins;
    private String password;

    @BeforeEach
    void open() {
        accounts = new Accounts(folder, time, random);
        sessions = new WebSessions(time, this::random, Duration.ofMinutes(30));
        logins = new Logins(accounts, sessions, time, this::pause);
        password = accounts.set("admin", Role.ADMINISTRATOR).password();
    }

    private void pause(Duration wait) {
        waits.add(wait);
        meanwhile.run();
    }

    @Test
    void shouldAnswerLaterAndLaterHoweverManyNamesAreTried() {
        for (int i = 0; i < Attempts.FREE + 6; i++) {
            assertFails("nobody" + i, ADDRESS, Errno.EACCES);
        }

        assertThat(waits.subList(0, Attempts.FREE)).containsOnly(Duration.ZERO);
        assertThat(waits.subList(Attempts.FREE, waits.size()))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 8L, 8L, 8L);
    }

    @Test
    void shouldLetInAtOnceWhoKnowsThePasswordWhileOthersGuessThere() {
        List<String> secrets = new ArrayList<>();
        guessOften(ADDRESS);
        meanwhile = () -> secrets.add(logins.login("admin", password, ADDRESS));
        waits.clear();

        assertFails("admin", ADDRESS, Errno.EACCES);

        assertThat(waits).hasSize(1);
        assertThat(secrets)
                .singleElement()
                .satisfies(secret -> assertThat(sessions.find(secret, true)).isPresent());
    }

    @Test
    void shouldSlowOnlyTheAddressThatGuessesAndNotForEver() {
        guessOften(ADDRESS);
        waits.clear();

        assertFails("admin", "10.0.0.2", Errno.EACCES);
        time.jump(Attempts.MEMORY);
        assertFails("admin", ADDRESS, Errno.EACCES);

        assertThat(waits).containsExactly(Duration.ZERO, Duration.ZERO);
    }

    @Test
    void shouldBoundHowManyGuessAtOnceFromAnAddress() {
        List<Errno> refused = new ArrayList<>();
        meanwhile = () -> refused.add(errno("admin", ADDRESS));

        assertFails("admin", ADDRESS, Errno.EACCES);

        assertThat(refused).hasSize(Attempts.MOST_AT_ONCE).containsOnlyOnce(Errno.EAGAIN);
        meanwhile = () -> {};
        assertFails("admin", ADDRESS, Errno.EACCES);
    }

    @Test
    void shouldNotLetInWhoseAccountHasGotAnotherPasswordMeanwhile() {
        assertRefusedAfter(() -> accounts.set("admin", Role.ADMINISTRATOR));
    }

    @Test
    void shouldNotLetInWhoseAccountWasRemovedMeanwhile() {
        accounts.set("other", Role.ADMINISTRATOR);
        assertRefusedAfter(() -> accounts.remove("admin"));
    }

    /** After the password was tried, and before the session that it is for. */
    private void assertRefusedAfter(Runnable change) {
        beforeTheSession = () -> {
            change.run();
            sessions.endAll("admin");
        };

        assertThatThrownBy(() -> logins.login("admin", password, ADDRESS))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EACCES));
    }

    /** What the secret of a session is made of. */
    private long random() {
        Runnable change = beforeTheSession;
        beforeTheSession = () -> {};
        change.run();
        return random.nextLong();
    }

    private void guessOften(String from) {
        for (int i = 0; i < Attempts.FREE + 1; i++) {
            assertFails("admin", from, Errno.EACCES);
        }
    }

    private void assertFails(String name, String from, Errno errno) {
        assertThat(errno(name, from)).isEqualTo(errno);
    }

    private Errno errno(String name, String from) {
        try {
            logins.login(name, "guess", from);
        } catch (PosixException e) {
            return e.errno();
        }
        throw new AssertionError("a guess was right");
    }
}
