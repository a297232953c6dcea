package org.beefs.cli.command;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.jspecify.annotations.Nullable;

/**
 * What a command does with this machine's honeycombs, one after the other. Where it fails keeps nothing from the
 * others.
 */
final class EachHoneycomb {
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final HiveFolder hive;
    private final Action action;
    private final List<CommandFailure> failures = new ArrayList<>();
    private boolean any;

    private EachHoneycomb(HiveFolder hive, Action action) {
        this.hive = hive;
        this.action = action;
    }

    /** What is done with one. Fails as a command does, or with IOException when its desktop does not answer. */
    interface Action {
        void on(ProcessFolder desktop, ControlClient client) throws IOException;
    }

    /**
     * Fails with all failures when all were tried.
     *
     * @param name only this desktop's, which must have one; null for all there are
     */
    static void run(HiveFolder hive, @Nullable String name, Action action) {
        EachHoneycomb each = new EachHoneycomb(hive, action);
        for (ProcessFolder desktop : RunningDesktops.of(hive, name)) {
            each.tryOn(desktop, name != null);
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        each.end();
    }

    private void tryOn(ProcessFolder desktop, boolean named) {
        ControlClient client = new ControlClient(desktop);
        try {
            if (named || !client.status(ANSWER).honeycombs().isEmpty()) {
                any = true;
                action.on(desktop, client);
            }
        } catch (CommandFailure e) {
            failures.add(e);
        } catch (IOException e) {
            failures.add(new CommandFailure(ExitCode.FAILED, Reasons.of(e)));
        }
    }

    private void end() {
        if (!failures.isEmpty()) {
            throw new CommandFailure(
                    failures.getFirst().exitCode(),
                    failures.stream().map(CommandFailure::getMessage).collect(Collectors.joining("\n")));
        }
        if (!any) {
            throw new CommandFailure(ExitCode.FAILED, "no desktop that runs in " + hive.path() + " has a honeycomb");
        }
    }
}
