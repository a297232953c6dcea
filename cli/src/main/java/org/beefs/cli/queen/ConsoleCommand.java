package org.beefs.cli.queen;

import java.util.Map;
import java.util.Objects;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.Words;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.api.Messages.ConsoleInfo;
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
            "With --new-password it makes an account, or gives it a new password and logs it out everywhere. The password is shown once."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the queen-bee refuses", "7:the queen-bee does not run here"},
        footer = {
            "",
            "Examples:",
            "  beefs console",
            "  beefs console --new-password",
            "  beefs console --new-password --account maria --role viewer",
            "  beefs console --json | jq -r .address"
        })
public final class ConsoleCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private StateOption state = new StateOption();

    @Option(names = "--new-password", description = "Make an account, or give it a new password.")
    private boolean newPassword;

    @Option(
            names = "--account",
            paramLabel = "NAME",
            description = "Which. Default: ${DEFAULT-VALUE}",
            defaultValue = "admin")
    private String account = ConsoleLogin.FIRST_ACCOUNT;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            completionCandidates = Roles.class,
            converter = Roles.class,
            description = "What it may do: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}",
            defaultValue = "administrator")
    private Role role = Role.ADMINISTRATOR;

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
        ConsoleInfo info = queenBee.get("/console", Map.of(), ConsoleInfo.class);
        if (newPassword) {
            ConsoleLogin login =
                    new ConsoleLogin(info.address(), ConsoleLogin.newPassword(queenBee, account, role.word()));
            show(login);
        } else {
            output.show(info, info.address() == null ? ConsoleLogin.OFF : info.address());
        }
    }

    private void show(ConsoleLogin login) {
        if (output.isJson()) {
            output.say(Json.of(login));
        } else {
            login.show(output);
        }
    }

    private void checkOptions() {
        ParseResult given = Objects.requireNonNull(spec).commandLine().getParseResult();
        if (!newPassword && (given.hasMatchedOption("--account") || given.hasMatchedOption("--role"))) {
            throw new CommandFailure(ExitCode.USAGE, "--account and --role need --new-password");
        }
        if (!account.matches("[A-Za-z0-9._@-]+")) {
            throw new CommandFailure(ExitCode.USAGE, "a name has letters, digits, and . _ @ -");
        }
    }
}
