package org.beefs.cli.queen;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.Words;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.api.Messages.ConsoleInfo;
import org.beefs.queenbee.console.api.Messages.Done;
import org.beefs.queenbee.console.api.Messages.NewToken;
import org.beefs.queenbee.console.login.Role;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Tells where the web console is, and lets people in. */
@Command(
        name = "console",
        mixinStandardHelpOptions = true,
        description = {
            "Tells where the web console is. Run it where the queen-bee runs.",
            "",
            "With --new-password it makes an account, or gives it a new password and logs it out everywhere. What it may do stays as it is "
                    + "without --role. The password is shown once. "
                    + "So is a token, which a script shows in place of a password (Authorization: Bearer)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the queen-bee refuses", "7:the queen-bee does not run here"},
        footer = {
            "",
            "Examples:",
            "  beefs console",
            "  beefs console --new-password",
            "  beefs console --new-password --account maria --role viewer",
            "  beefs console --new-token prometheus",
            "  beefs console --list",
            "  beefs console --json | jq -r .address"
        })
public final class ConsoleCommand implements Runnable {
    private static final List<String> ACTS =
            List.of("--new-password", "--new-token", "--list", "--remove-account", "--remove-token");

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private StateOption state = new StateOption();

    @Option(names = "--new-password", description = "Make an account, or give it a new password.")
    private boolean newPassword;

    @Option(names = "--new-token", paramLabel = "NAME", description = "Make a token for a script.")
    private @Nullable String newToken;

    @Option(names = "--list", description = "List accounts and tokens.")
    private boolean list;

    @Option(
            names = "--remove-account",
            paramLabel = "NAME",
            description = "Remove an account, and the tokens made with it.")
    private @Nullable String removedAccount;

    @Option(names = "--remove-token", paramLabel = "ID", description = "Remove a token; --list tells its ID.")
    private @Nullable String removedToken;

    @Option(
            names = "--account",
            paramLabel = "NAME",
            description = "Which account gets a new password. Default: ${DEFAULT-VALUE}",
            defaultValue = "admin")
    private String account = ConsoleLogin.FIRST_ACCOUNT;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            completionCandidates = Roles.class,
            converter = Roles.class,
            description =
                    "What it may do: ${COMPLETION-CANDIDATES}. Default: as it is; administrator for a new account, and viewer for a token")
    private @Nullable Role role;

    private static final class Roles extends Words<Role> {
        Roles() {
            super(Role.class);
        }
    }

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        checkOptions();
        RunningQueenBee queenBee = RunningQueenBee.of(state);
        ConsoleAccess access = new ConsoleAccess(queenBee);
        if (newPassword) {
            show(access.newPassword(account, role));
        } else if (newToken != null) {
            NewToken made = access.newToken(newToken, role == null ? Role.VIEWER : role);
            output.show(
                    made, "%s (%s, shown this once; its ID is %s)".formatted(made.secret(), made.role(), made.id()));
        } else if (list) {
            output.show(access.list());
        } else if (removedAccount != null) {
            Done done = access.removeAccount(removedAccount);
            output.show(done, done.done());
        } else if (removedToken != null) {
            Done done = access.removeToken(removedToken);
            output.show(done, done.done());
        } else {
            ConsoleInfo info = queenBee.get("/console", Map.of(), ConsoleInfo.class);
            output.show(info, info.address() == null ? ConsoleLogin.OFF : info.address());
        }
    }

    private void show(ConsoleLogin login) {
        if (output.isJson()) {
            output.say(Json.of(login));
        } else {
            login.show(output);
            Optional.ofNullable(login.made()).ifPresent(made -> output.say(made.told() + "."));
        }
    }

    private void checkOptions() {
        ParseResult given = Objects.requireNonNull(spec).commandLine().getParseResult();
        if (ACTS.stream().filter(given::hasMatchedOption).count() > 1) {
            throw new CommandFailure(ExitCode.USAGE, "only one of these at a time: " + String.join(", ", ACTS));
        }
        if (!newPassword && given.hasMatchedOption("--account")) {
            throw new CommandFailure(ExitCode.USAGE, "--account needs --new-password");
        }
        if (!newPassword && newToken == null && role != null) {
            throw new CommandFailure(ExitCode.USAGE, "--role needs --new-password or --new-token");
        }
    }
}
