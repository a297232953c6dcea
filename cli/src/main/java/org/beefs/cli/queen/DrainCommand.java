package org.beefs.cli.queen;

import java.time.Duration;
import java.util.Objects;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.InterruptibleWait;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.linux.SystemClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Empties a desktop. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "Empties a desktop, so that it can be switched off for good. Run it where the queen-bee runs.",
            "",
            "All replicas leave it, each after another one was made elsewhere, and no new ones come. Its user can go on working: a file "
                    + "that is open leaves when it is closed. The command waits until the desktop is drained. If it is interrupted that "
                    + "goes on all the same, also over restarts; run it again to see how far that is."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is drained and can be switched off; with --cancel: it takes replicas again",
            "1:there is no such desktop, or what is left has no other place",
            "7:the queen-bee does not run here",
            "130:ended by Ctrl-C; the desktop is drained all the same"
        },
        footer = {"", "Examples:", "  beefs drain desktop3", "  beefs drain desktop3 --cancel"})
public final class DrainCommand implements Runnable {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofSeconds(1);

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(paramLabel = "DESKTOP", description = "Its name, as beefs status shows it.")
    private String desktop = "";

    @Option(names = "--cancel", description = "What is still there may stay, and replicas come again.")
    private boolean cancel;

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        RunningQueenBee queenBee = RunningQueenBee.of(state);
        queenBee.act(cancel ? "DELETE" : "POST", desktop, "drain");
        if (cancel) {
            output.done(desktop, desktop + " is not drained any more: replicas come there again.");
            return;
        }
        requireDrained(InterruptibleWait.run("the desktop is drained all the same", () -> follow(queenBee)));
        output.done(
                desktop,
                desktop + " is drained. It can be switched off; beefs drain " + desktop
                        + " --cancel takes it in again.");
    }

    private DrainProgress.State follow(RunningQueenBee queenBee) {
        DrainProgress progress = new DrainProgress(desktop, output.err(), Terminal.hasMessages(), new SystemClock());
        try {
            DrainProgress.State seen = look(queenBee, progress);
            while (seen == DrainProgress.State.UNDER_WAY) {
                InterruptibleWait.pause(LOOK);
                seen = look(queenBee, progress);
            }
            return seen;
        } finally {
            progress.end();
        }
    }

    private void requireDrained(DrainProgress.State seen) {
        if (seen == DrainProgress.State.GIVEN_UP) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%s was given up, so nothing leaves it any more; beefs forget %s".formatted(desktop, desktop));
        }
        if (seen == DrainProgress.State.STUCK) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "what is left on %s has no other place: no other desktop that is awake has room; it leaves when one has"
                            .formatted(desktop));
        }
    }

    private DrainProgress.State look(RunningQueenBee queenBee, DrainProgress progress) {
        HoneycombStatus seen = queenBee.ask(asked -> asked.status(ANSWER)).honeycombs().stream()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop) && honeycomb.drain() != null)
                .findFirst()
                .orElseThrow(() -> new CommandFailure(ExitCode.FAILED, "somebody has cancelled it"));
        return progress.show(Objects.requireNonNull(seen.drain()), seen.connected());
    }
}
