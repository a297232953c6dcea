package org.beefs.queenbee.console.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.Logins;
import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.login.WebSession;
import org.beefs.queenbee.console.login.WebSessions;
import org.beefs.queenbee.console.model.ConsoleModel;

/** Tells who asks, lets people in and out. Thread-safe. */
final class Door {
    static final String LOGIN = "/login";

    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_PASSWORD = 256;
    private static final String BEARER = "Bearer "; // others are for a proxy on the way

    private final Accounts accounts;
    private final WebSessions sessions;
    private final Logins logins;
    private final ConsoleModel model;
    private final String cookie;

    /**
     * @param cookie its name, which no other hive's console has: browsers give cookies to all ports of a host, and at
     *     one where tunnels end there may be several
     */
    Door(Accounts accounts, WebSessions sessions, Logins logins, ConsoleModel model, String cookie) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.logins = logins;
        this.model = model;
        this.cookie = cookie;
    }

    /** Who has logged in with this browser. What an open page asks by itself does not keep the session. */
    Optional<Viewer> viewer(Exchange exchange) {
        boolean byHand = !exchange.isRefresh() && !exchange.path().equals("/stream");
        return exchange.cookie(cookie)
                .flatMap(secret -> sessions.find(secret, byHand))
                .flatMap(this::viewer);
    }

    /** The role is the account's as it is now. */
    private Optional<Viewer> viewer(WebSession session) {
        return accounts.find(session.account())
                .map(account ->
                        new Viewer(new Principal(account.name(), account.role(), account.name(), session), session));
    }

    /**
     * Who asks the REST interface: a script's token; or a browser's session, which for changes has to show its word
     * too.
     */
    Optional<Principal> principal(Exchange exchange) {
        Optional<String> token = exchange.requestHeader("Authorization").filter(value -> value.startsWith(BEARER));
        if (token.isPresent()) {
            return accounts.ofToken(token.get().substring(BEARER.length()).strip());
        }
        boolean reads = exchange.method().equals("GET");
        return viewer(exchange)
                .filter(viewer -> reads
                        || isOwn(viewer, exchange.requestHeader("X-CSRF-Token").orElse("")))
                .map(Viewer::who);
    }

    /** Whether a form was made by a page of this session. */
    static boolean isOwn(Viewer viewer, String csrf) {
        return MessageDigest.isEqual(
                viewer.session().csrf().getBytes(StandardCharsets.UTF_8), csrf.getBytes(StandardCharsets.UTF_8));
    }

    /** Shows the form, or takes it. */
    void login(Exchange exchange) throws IOException {
        if (!exchange.method().equals("POST")) {
            exchange.html(200, LoginPage.of("", !accounts.accounts().isEmpty()));
            return;
        }
        Map<String, String> form = exchange.form();
        String name = form.getOrDefault("name", "");
        String password = form.getOrDefault("password", "");
        if (name.length() > LONGEST_NAME || password.length() > LONGEST_PASSWORD) {
            exchange.html(403, LoginPage.of("the name or the password is too long", true));
            return;
        }
        try {
            String secret = logins.login(name, password, exchange.from());
            model.events().add("login", null, name + " has logged in from " + exchange.from(), name);
            setCookie(exchange, secret, "");
            exchange.redirect("/");
        } catch (PosixException e) {
            model.failedLogins().add(exchange.from());
            exchange.html(403, LoginPage.of(e.getMessage(), true));
        }
    }

    /** Whatever page the button is on: it may be left of an earlier session, and who presses it wants to be out. */
    void logout(Exchange exchange) throws IOException {
        exchange.cookie(cookie).ifPresent(sessions::end);
        setCookie(exchange, "", "; Max-Age=0");
        exchange.redirect(LOGIN);
    }

    private void setCookie(Exchange exchange, String value, String more) {
        String secure = exchange.isEncrypted() ? "; Secure" : "";
        exchange.header("Set-Cookie", cookie + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + secure + more);
    }
}
