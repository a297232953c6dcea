package org.beefs.queenbee.console.login;

import java.util.Optional;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Pause;
import org.beefs.queenbee.console.login.Accounts.Account;

/** Lets people in who know their password, at once, and slows those who guess. Thread-safe. */
public final class Logins {
    /** Takes as long to try as an account's, so that nobody learns which accounts there are. */
    private static final PasswordHash NOBODY = PasswordHash.ofNone();

    private final Accounts accounts;
    private final WebSessions sessions;
    private final Attempts attempts;
    private final Pause pause;
    private final HashQueue hashes = new HashQueue();

    /** @param pause lets those wait who guess */
    public Logins(Accounts accounts, WebSessions sessions, Clock clock, Pause pause) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.pause = pause;
        attempts = new Attempts(clock);
    }

    /**
     * Begins a session, and answers its secret. Fails with EACCES for whoever does not know the password, and with
     * EAGAIN when too many try.
     *
     * @param from address of the browser
     */
    public String login(String name, String password, String from) {
        attempts.begin(from);
        try {
            Optional<Account> account = accounts.find(name);
            if (isRight(account, password, from)) {
                return begin(account.orElseThrow());
            }
            pause.pause(attempts.failed(from));
            throw refused();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PosixException(Errno.EINTR, "the console stops");
        } finally {
            attempts.end(from);
        }
    }

    /** The account may have got another password meanwhile, and all its sessions have been ended, but for this one. */
    private String begin(Account account) {
        String secret = sessions.begin(account.name());
        Optional<PasswordHash> current = accounts.find(account.name()).map(Account::password);
        if (!current.equals(Optional.of(account.password()))) {
            sessions.end(secret);
            throw refused();
        }
        return secret;
    }

    private static PosixException refused() {
        return new PosixException(Errno.EACCES, "the name or the password is wrong");
    }

    private boolean isRight(Optional<Account> account, String password, String from) throws InterruptedException {
        PasswordHash hash = account.map(Account::password).orElse(NOBODY);
        return hashes.tryPassword(from, () -> hash.matches(password)) && account.isPresent();
    }
}
