package org.beefs.queenbee.console.api;

import static org.beefs.queenbee.console.api.Route.action;
import static org.beefs.queenbee.console.api.Route.change;
import static org.beefs.queenbee.console.api.Route.get;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.api.Messages.ConsoleInfo;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.api.Route.Parameter;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.console.login.WebSessions;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.console.model.replication.WithoutDesktops;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.console.model.snapshot.Replication;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.jspecify.annotations.Nullable;

/** All that the REST interface can do. Thread-safe. */
final class Routes {
    private static final int MOST_EVENTS = 500;

    private final ConsoleModel model;
    private final Accounts accounts;
    private final WebSessions sessions;
    private final SettingsFile settings;
    private final Supplier<Optional<String>> address;

    Routes(
            ConsoleModel model,
            Accounts accounts,
            WebSessions sessions,
            SettingsFile settings,
            Supplier<Optional<String>> address) {
        this.model = model;
        this.accounts = accounts;
        this.sessions = sessions;
        this.settings = settings;
        this.address = address;
    }

    List<Route> all() {
        return Stream.of(
                        hive(),
                        new DesktopRoutes(model).all(),
                        new FileRoutes(model).all(),
                        new RecoveryRoutes(model.drills()).all(),
                        access())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> hive() {
        return List.of(
                get(
                        "/hive",
                        "The hive as a whole",
                        HiveView.class,
                        _ -> model.snapshot().hive()),
                get(
                        "/history",
                        "Figures of the last hour",
                        Messages.Samples.class,
                        _ -> new Messages.Samples(model.history().list())),
                get(
                        "/replication",
                        "What each desktop holds, and files that lack replicas, as last counted",
                        Replication.class,
                        _ -> model.replication()),
                get(
                        "/copies",
                        "What is copied to which desktop at present, and what leaves which",
                        Messages.Copies.class,
                        _ -> new Messages.Copies(model.copying())),
                get(
                        "/without",
                        "Which files could not be read if some desktops were off",
                        WithoutDesktops.class,
                        this::without,
                        Parameter.text("desktops", "their names, with commas between")
                                .asRequired()),
                get(
                        "/events",
                        "What has happened, the oldest first",
                        Messages.Events.class,
                        this::events,
                        Parameter.number("after", "only events with a higher id; 0 is as none"),
                        Parameter.number("before", "only events with a lower id"),
                        Parameter.text("kind", "only these: " + String.join(", ", Event.KINDS)),
                        Parameter.text("desktop", "only about this one"),
                        Parameter.number(
                                "limit",
                                "at most so many, the oldest ones with after, otherwise the newest; " + MOST_EVENTS
                                        + " at most")),
                get(
                        "/settings",
                        "The queen-bee's settings",
                        Messages.Settings.class,
                        _ -> new Messages.Settings(settings.list())),
                action(
                        "PUT",
                        "/settings/{name}",
                        "Changes a setting from the queen-bee's next start on",
                        Messages.NewValue.class,
                        this::set),
                action(
                        "DELETE",
                        "/settings/{name}",
                        "Gives a setting its default from the queen-bee's next start on",
                        this::unset),
                get("/console", "The console itself", ConsoleInfo.class, _ -> console()));
    }

    private List<Route> access() {
        return List.of(
                get("/accounts", "Who may log in", Messages.Accounts.class, _ -> accounts())
                        .restricted(),
                change(
                        "PUT",
                        "/accounts/{account}",
                        "Makes an account, or gives it another password, and another role if one is said",
                        Messages.NewRole.class,
                        Messages.NewPassword.class,
                        this::setAccount),
                action("DELETE", "/accounts/{account}", "Removes an account", this::removeAccount),
                get("/tokens", "Tokens of scripts", Messages.Tokens.class, _ -> tokens())
                        .restricted(),
                change(
                        "POST",
                        "/tokens",
                        "Makes a token",
                        Messages.Account.class,
                        Messages.NewToken.class,
                        this::makeToken),
                action("DELETE", "/tokens/{token}", "Removes a token", this::removeToken));
    }

    private Done set(Call call) {
        String value = call.newValue();
        return setting(call, value, value);
    }

    private Done unset(Call call) {
        return setting(call, null, "the default");
    }

    private Done setting(Call call, @Nullable String value, String shown) {
        String name = call.variable("name");
        settings.set(name, value);
        String done = "%s is %s from the queen-bee's next start on".formatted(name, shown);
        record(call, done);
        return new Done(done);
    }

    private ConsoleInfo console() {
        return new ConsoleInfo(address.get().orElse(null), accounts.accounts().size());
    }

    private WithoutDesktops without(Call call) {
        Set<String> desktops = Stream.of(call.query("desktops", "").split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        return model.without(desktops);
    }

    private Messages.Events events(Call call) {
        int limit = (int) Math.min(call.number("limit", MOST_EVENTS), MOST_EVENTS);
        return new Messages.Events(model.events()
                .list(
                        call.number("after", 0),
                        call.number("before", Long.MAX_VALUE),
                        call.query("kind"),
                        call.query("desktop"),
                        limit));
    }

    private Messages.Accounts accounts() {
        return new Messages.Accounts(accounts.accounts().stream()
                .map(account ->
                        new Messages.Account(account.name(), account.role().word()))
                .toList());
    }

    private Messages.NewPassword setAccount(Call call) {
        String name = call.variable("account");
        Accounts.NewPassword made = setAccount(name, call.body(Messages.NewRole.class));
        // In his own session the next page shows who has given himself a password what it is.
        sessions.endOthers(name, call.who().session());
        String role = made.role().word();
        List<String> ended = names(made.ended());
        record(call, "the account %s is %s, with a new password%s".formatted(name, role, Messages.andTokens(ended)));
        return new Messages.NewPassword(name, role, made.password(), ended);
    }

    private Accounts.NewPassword setAccount(String name, Messages.NewRole wanted) {
        if (wanted.role() != null && !wanted.role().isEmpty()) {
            return accounts.set(name, role(wanted.role()));
        }
        return accounts.renew(name, wanted.ifNew() == null ? Role.VIEWER : role(wanted.ifNew()));
    }

    private Done removeAccount(Call call) {
        String name = call.variable("account");
        String ended = Messages.andTokens(names(accounts.tokensOf(name)));
        accounts.remove(name);
        sessions.endAll(name);
        record(call, "the account %s is removed%s".formatted(name, ended));
        return new Done("%s is removed%s".formatted(name, ended));
    }

    private static List<String> names(List<Accounts.Token> tokens) {
        return tokens.stream().map(Accounts.Token::name).toList();
    }

    private Messages.Tokens tokens() {
        return new Messages.Tokens(accounts.tokens().stream()
                .map(token -> new Messages.Token(
                        token.id(), token.name(), token.role().word(), token.made(), token.by()))
                .toList());
    }

    private Messages.NewToken makeToken(Call call) {
        Messages.Account wanted = call.body(Messages.Account.class);
        Role role = role(wanted.role());
        Accounts.NewToken made = accounts.makeToken(Objects.requireNonNullElse(wanted.name(), ""), role, call.who());
        record(call, "the token %s is made, %s".formatted(wanted.name(), role.word()));
        return new Messages.NewToken(made.token().id(), wanted.name(), role.word(), made.secret());
    }

    private Done removeToken(Call call) {
        accounts.removeToken(call.variable("token"));
        record(call, "the token %s is removed".formatted(call.variable("token")));
        return new Done("the token is removed");
    }

    private void record(Call call, String text) {
        model.events().add("action", null, text, call.who().name());
    }

    private static Role role(@Nullable String word) {
        return Role.of(String.valueOf(word))
                .orElseThrow(() -> new PosixException(Errno.EINVAL, "a role is viewer or administrator"));
    }
}
