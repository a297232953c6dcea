package org.beefs.queenbee.console.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts, tokens and sessions. */
class AccountsTest {
    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private final SecureRandom random = new SecureRandom();

    @Test
    void shouldKeepAccountsAndTokensOverARestart() {
        String password = accounts().set("admin", Role.ADMINISTRATOR).password();
        String secret = accounts()
                .makeToken("backup", Role.VIEWER, new Principal("admin", Role.ADMINISTRATOR))
                .secret();

        assertThat(accounts().find("admin").orElseThrow().password().matches(password))
                .isTrue();
        assertThat(accounts().find("admin").orElseThrow().password().matches(password + " "))
                .isFalse();
        assertThat(accounts().ofToken(secret)).contains(new Principal("token backup", Role.VIEWER));
        assertThat(accounts().ofToken(secret + "x")).isEmpty();
    }

    @Test
    void shouldRemoveTokensWithTheirMakersAccount() {
        Accounts accounts = accounts();
        accounts.set("admin", Role.ADMINISTRATOR);
        accounts.set("maria", Role.ADMINISTRATOR);
        accounts.makeToken("own", Role.VIEWER, new Principal("admin", Role.ADMINISTRATOR, "admin", null));
        Accounts.NewToken made =
                accounts.makeToken("first", Role.ADMINISTRATOR, new Principal("maria", Role.VIEWER, "maria", null));
        accounts.makeToken(
                "second", Role.VIEWER, accounts.ofToken(made.secret()).orElseThrow());

        accounts.remove("maria");

        assertThat(accounts().tokens()).extracting(Accounts.Token::name).containsExactly("own");
    }

    @Test
    void shouldRemoveTokensThatMayMoreThanTheirMakerNow() {
        Accounts accounts = accounts();
        Principal maria = new Principal("maria", Role.ADMINISTRATOR, "maria", null);
        accounts.set("admin", Role.ADMINISTRATOR);
        accounts.set("maria", Role.ADMINISTRATOR);
        accounts.makeToken("changes", Role.ADMINISTRATOR, maria);
        accounts.makeToken("looks", Role.VIEWER, maria);

        accounts.set("maria", Role.ADMINISTRATOR);
        assertThat(accounts.tokens()).hasSize(2);
        Accounts.NewPassword lowered = accounts.set("maria", Role.VIEWER);

        assertThat(lowered.ended()).extracting(Accounts.Token::name).containsExactly("changes");
        assertThat(accounts.tokens()).extracting(Accounts.Token::name).containsExactly("looks");
    }

    @Test
    void shouldKeepTheRoleOfWhoGetsANewPassword() {
        Accounts accounts = accounts();
        accounts.set("admin", Role.ADMINISTRATOR);
        accounts.set("maria", Role.VIEWER);

        assertThat(accounts.renew("maria", Role.ADMINISTRATOR).role()).isEqualTo(Role.VIEWER);
        assertThat(accounts.renew("admin", Role.VIEWER).role()).isEqualTo(Role.ADMINISTRATOR);
        assertThat(accounts.renew("joe", Role.ADMINISTRATOR).role()).isEqualTo(Role.ADMINISTRATOR);
        assertThat(accounts().find("maria").orElseThrow().role()).isEqualTo(Role.VIEWER);
    }

    @Test
    void shouldKnowTheTokensOfAFileThatNamesNoAccountsByTheirMakers() throws IOException {
        Accounts accounts = accounts();
        accounts.set("admin", Role.ADMINISTRATOR);
        accounts.set("maria", Role.ADMINISTRATOR);
        accounts.makeToken("old", Role.ADMINISTRATOR, new Principal("maria", Role.ADMINISTRATOR));
        Path file = folder.resolve("accounts.json");
        Files.writeString(file, Files.readString(file).replace("\"account\":null,", ""));

        assertThat(accounts().tokens()).hasSize(1);
        accounts().remove("maria");

        assertThat(accounts().tokens()).isEmpty();
    }

    /** PBKDF2 with HMAC-SHA-256 of "password" and the salt "salt", 4096 times, 32 bytes. */
    @Test
    void shouldKnowPasswordsWhoseHashWasMadeOtherwise() throws IOException {
        Files.writeString(folder.resolve("accounts.json"), """
                {"accounts": [{"name": "admin", "role": "ADMINISTRATOR", "password": {
                  "salt": "c2FsdA==", "iterations": 4096, "hash": "xeR41ZKIyEGqUw22hFxMjZYok6ABzk4RpJY4c6qYE0o="
                }}], "tokens": []}
                """);

        assertThat(accounts().find("admin").orElseThrow().password().matches("password"))
                .isTrue();
        assertThat(accounts().find("admin").orElseThrow().password().matches("Password"))
                .isFalse();
    }

    @Test
    void shouldWriteNoSecretAndLetNobodyElseRead() throws IOException {
        String password = accounts().set("admin", Role.ADMINISTRATOR).password();
        String secret = accounts()
                .makeToken("backup", Role.VIEWER, new Principal("admin", Role.ADMINISTRATOR))
                .secret();

        Path file = folder.resolve("accounts.json");
        assertThat(file).content().doesNotContain(password, secret);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldKeepAnAdministrator() {
        Accounts accounts = accounts();
        assertThatThrownBy(() -> accounts.set("first", Role.VIEWER)).isInstanceOf(PosixException.class);
        accounts.set("admin", Role.ADMINISTRATOR);

        assertThatThrownBy(() -> accounts.remove("admin")).hasMessageContaining("the last administrator");
        assertThatThrownBy(() -> accounts.set("admin", Role.VIEWER)).hasMessageContaining("the last administrator");
        accounts.set("second", Role.ADMINISTRATOR);
        accounts.remove("admin");
        assertThat(accounts().accounts()).extracting(Accounts.Account::name).containsExactly("second");
    }

    @Test
    void shouldRefuseNamesThatCouldBeTakenForSomethingElse() {
        for (String name : new String[] {"", " a", "a/b", "a\nb", "<b>", "a".repeat(65)}) {
            assertThatThrownBy(() -> accounts().set(name, Role.ADMINISTRATOR)).isInstanceOf(PosixException.class);
        }
    }

    @Test
    void shouldBoundTokens() {
        Accounts accounts = accounts();
        for (int i = 0; i < Accounts.MOST; i++) {
            accounts.makeToken("t" + i, Role.VIEWER, new Principal("admin", Role.ADMINISTRATOR));
        }

        assertThatThrownBy(
                        () -> accounts.makeToken("one more", Role.VIEWER, new Principal("admin", Role.ADMINISTRATOR)))
                .hasMessageContaining("at most");
    }

    @Test
    void shouldSayWhichFileIsDamaged() throws IOException {
        Files.writeString(folder.resolve("accounts.json"), "{");

        assertThatThrownBy(this::accounts).hasMessageContaining("accounts.json");
    }

    /** As on a full disk, of which whoever asked for a password has to hear. */
    @Test
    void shouldSayWhichFileCannotBeWrittenAndGoOnWithWhatWas() throws IOException {
        Accounts accounts = accounts();
        String password = accounts.set("admin", Role.ADMINISTRATOR).password();
        Files.createDirectories(folder.resolve("accounts.json.new/in the way"));

        assertThatThrownBy(() -> accounts.set("admin", Role.ADMINISTRATOR))
                .isInstanceOf(PosixException.class)
                .hasMessageContaining("accounts.json cannot be written")
                .hasMessageContaining("nothing was changed");
        assertThat(accounts.find("admin").orElseThrow().password().matches(password))
                .isTrue();
    }

    @Test
    void shouldEndSessionsThatAreOldHoweverBusy() {
        Duration idle = Duration.ofHours(1);
        WebSessions sessions = new WebSessions(time, random, idle);
        String secret = sessions.begin("admin");
        for (Duration past = idle; past.compareTo(WebSessions.LONGEST) <= 0; past = past.plus(idle)) {
            time.jump(idle);
            assertThat(sessions.find(secret, true)).isPresent();
        }

        time.jump(Duration.ofMinutes(1));

        assertThat(sessions.find(secret, true)).isEmpty();
    }

    @Test
    void shouldBoundEachAccountsSessionsAndEndNobodyElses() {
        WebSessions sessions = new WebSessions(time, random, Duration.ofHours(1));
        String others = sessions.begin("maria");
        String first = sessions.begin("admin");
        for (int i = 0; i < WebSessions.MOST; i++) {
            time.jump(Duration.ofSeconds(1));
            sessions.begin("admin");
        }

        assertThat(sessions.find(first, true)).isEmpty();
        assertThat(sessions.find(others, true)).isPresent();
        assertThat(sessions.find("made up", true)).isEmpty();
    }

    private Accounts accounts() {
        return new Accounts(folder, time, random);
    }
}
