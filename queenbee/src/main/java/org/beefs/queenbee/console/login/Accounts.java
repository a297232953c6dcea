package org.beefs.queenbee.console.login;

import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.file.JsonFile;
import org.jspecify.annotations.Nullable;

/**
 * Accounts of people and tokens of scripts, kept in {@code accounts.json}, which only the queen-bee's user can read and
 * which has no secret in clear. Refusals are {@link PosixException}s. Thread-safe.
 */
public final class Accounts {
    static final int MOST = 200;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@ -]{0,63}");

    /** Somebody who logs in. */
    public record Account(String name, Role role, PasswordHash password) {}

    /**
     * What a script shows.
     *
     * @param id names it to people
     * @param by who made it, as people read it
     * @param account whose right that was, without which the token goes too; null for the command line, and for tokens
     *     of a queen-bee that did not keep it
     * @param hash of the token itself
     */
    public record Token(
            String id,
            String name,
            Role role,
            String made,
            String by,
            @Nullable String account,
            String hash) {
        private boolean isOf(String name) {
            return name.equals(account == null ? by : account);
        }
    }

    /** The file. */
    private record Contents(List<Account> accounts, List<Token> tokens) {
        Contents {
            Objects.requireNonNull(accounts);
            Objects.requireNonNull(tokens);
        }
    }

    private final JsonFile<Contents> file;
    private final Clock clock;
    private final RandomGenerator random;
    private List<Account> accounts;
    private List<Token> tokens;

    /** @param random for cryptography */
    public Accounts(Path folder, Clock clock, RandomGenerator random) {
        file = new JsonFile<>(folder.resolve("accounts.json"), Contents.class);
        this.clock = clock;
        this.random = random;
        Contents contents = file.read().orElse(new Contents(List.of(), List.of()));
        accounts = contents.accounts;
        tokens = contents.tokens;
    }

    public synchronized List<Account> accounts() {
        return accounts;
    }

    public synchronized List<Token> tokens() {
        return tokens;
    }

    public Optional<Account> find(String name) {
        return accounts().stream().filter(account -> account.name.equals(name)).findFirst();
    }

    /**
     * What an account is now.
     *
     * @param password which nobody can be told again
     * @param ended tokens of the account that allowed more than its role does now, and are gone
     */
    public record NewPassword(Role role, String password, List<Token> ended) {}

    /** Makes an account, or gives it another role and password. */
    public NewPassword set(String name, Role role) {
        return set(name, _ -> role);
    }

    /** Gives an account another password, or makes it. */
    public NewPassword renew(String name, Role ifNew) {
        return set(name, before -> before.map(Account::role).orElse(ifNew));
    }

    private NewPassword set(String name, Function<Optional<Account>, Role> role) {
        checkName(name);
        String password = Secrets.password(random);
        PasswordHash hash = PasswordHash.of(password, random);
        synchronized (this) {
            Account made = new Account(name, role.apply(find(name)), hash);
            return new NewPassword(made.role, password, put(made));
        }
    }

    /** Returns the tokens that end with the change. */
    private synchronized List<Token> put(Account made) {
        Stream<Account> others = accounts.stream().filter(account -> !account.name.equals(made.name));
        List<Account> all = Stream.concat(others, Stream.of(made)).toList();
        requireAdministrator(all);
        List<Token> ended = tokensBeyond(made.name, made.role);
        write(new Contents(checkNumber(all), without(ended)));
        return ended;
    }

    /** Tokens of the account that allow more than this role; they end when the account gets it. */
    private List<Token> tokensBeyond(String account, Role role) {
        return tokensOf(account).stream()
                .filter(token -> !role.includes(token.role))
                .toList();
    }

    /** Tokens that the account's owner made, also by a token of his: they go with the account. */
    public synchronized List<Token> tokensOf(String account) {
        return tokens.stream().filter(token -> token.isOf(account)).toList();
    }

    private List<Token> without(List<Token> ended) {
        return tokens.stream().filter(token -> !ended.contains(token)).toList();
    }

    /** Removes an account and its tokens. */
    public synchronized void remove(String name) {
        if (find(name).isEmpty()) {
            throw new PosixException(Errno.ENOENT, "there is no account named " + name);
        }
        List<Account> left =
                accounts.stream().filter(account -> !account.name.equals(name)).toList();
        requireAdministrator(left);
        write(new Contents(left, without(tokensOf(name))));
    }

    /** A token that was made, and its secret, which nobody can be told again. */
    public record NewToken(Token token, String secret) {}

    public synchronized NewToken makeToken(String name, Role role, Principal maker) {
        checkName(name);
        String secret = "beefs_" + Secrets.random(random);
        String hash = Secrets.hash(secret);
        String now = clock.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Token token = new Token(hash.substring(0, 12), name, role, now, maker.name(), maker.account(), hash);
        List<Token> all = new ArrayList<>(tokens);
        all.add(token);
        write(new Contents(accounts, checkNumber(List.copyOf(all))));
        return new NewToken(token, secret);
    }

    public synchronized void removeToken(String id) {
        List<Token> left = tokens.stream().filter(token -> !token.id.equals(id)).toList();
        if (left.size() == tokens.size()) {
            throw new PosixException(Errno.ENOENT, "there is no token " + id);
        }
        write(new Contents(accounts, left));
    }

    /** The script whose token that is. */
    public Optional<Principal> ofToken(String secret) {
        String hash = Secrets.hash(secret);
        return tokens().stream()
                .filter(token -> token.hash.equals(hash))
                .findFirst()
                .map(token -> new Principal("token " + token.name, token.role, token.account, null));
    }

    private static void requireAdministrator(List<Account> all) {
        if (all.stream().noneMatch(account -> account.role == Role.ADMINISTRATOR)) {
            throw new PosixException(Errno.EBUSY, "the last administrator stays one");
        }
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new PosixException(
                    Errno.EINVAL,
                    "a name has 1 to 64 letters, digits, spaces or . _ @ -, and begins with a letter or digit");
        }
    }

    private static <T> List<T> checkNumber(List<T> all) {
        if (all.size() > MOST) {
            throw new PosixException(Errno.ENOSPC, "there are at most " + MOST);
        }
        return all;
    }

    private void write(Contents contents) {
        file.write(contents);
        accounts = contents.accounts;
        tokens = contents.tokens;
    }
}
