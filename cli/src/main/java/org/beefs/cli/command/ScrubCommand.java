package org.beefs.cli.command;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.control.DaemonStatus.ScrubStatus;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.InterruptibleWait;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.cli.terminal.Terminal;
import org.beefs.cli.view.Output;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Count;
import org.beefs.common.linux.SystemClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Has desktops compare their replicas with the checksums. */
@Command(
        name = "scrub",
        mixinStandardHelpOptions = true,
        description = {
            "Reads all replicas on this machine's desktops and compares them with their checksums, now instead of when it is time.",
            "",
            "What is rotten is not served any more, and is replaced from another desktop. What cannot be replaced is kept; beefs status "
                    + "counts it, and beefs info FILE shows where it is. If the command is interrupted the desktop that it waits "
                    + "for goes on all the same, and those after it do not begin. "
                    + "With --json there is a line for each desktop."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all replicas were read; what was rotten is told",
            "1:a desktop does not answer, is paused meanwhile, or has no honeycomb; the others' are read all the same",
            "7:no desktop runs here",
            "130:ended by Ctrl-C; the desktop that was waited for reads on all the same, those after it were not asked"
        },
        footer = {"", "Examples:", "  beefs scrub", "  beefs scrub desktop2", "  beefs scrub --json | jq .rotten"})
public final class ScrubCommand implements Runnable {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofSeconds(1);

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "DESKTOP",
            description = "Only this one. Default: all of the state folder that have a honeycomb.")
    private @Nullable String desktop;

    @Mixin
    private Output output = new Output();

    /**
     * What has become of one desktop's round.
     *
     * @param rotten replicas that were rotten when it was over; most of them are replaced within seconds
     */
    private record Scrubbed(String desktop, long replicas, long bytes, long rotten) {}

    @Override
    public void run() {
        EachHoneycomb.run(state.hive(), desktop, this::scrub);
    }

    private void scrub(ProcessFolder read, ControlClient client) throws IOException {
        client.scrub(ANSWER);
        HoneycombStatus seen = look(client);
        ProgressBar bar =
                ProgressBar.ofBytes(read.name(), seen.used(), output.err(), Terminal.hasMessages(), new SystemClock());
        ScrubStatus last;
        try {
            last = InterruptibleWait.run(
                    read.name() + "'s replicas are read on all the same", () -> follow(client, seen, bar));
        } finally {
            bar.end();
        }
        Scrubbed scrubbed = scrubbed(read, last);
        output.line(scrubbed, sentence(scrubbed));
    }

    /** Answers what is known when the round is over, or a pause keeps it up. */
    private static ScrubStatus follow(ControlClient client, HoneycombStatus first, ProgressBar bar) throws IOException {
        HoneycombStatus seen = first;
        ScrubStatus scrub = Objects.requireNonNull(seen.scrub());
        long shown = 0;
        while (scrub.running() && seen.pausedSeconds() == 0) {
            bar.advance(Math.max(0, scrub.bytes() - shown));
            shown = scrub.bytes();
            InterruptibleWait.pause(LOOK);
            seen = look(client);
            scrub = Objects.requireNonNull(seen.scrub());
        }
        return scrub;
    }

    private static Scrubbed scrubbed(ProcessFolder desktop, ScrubStatus scrub) {
        if (scrub.running()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%s is paused, and reads on when that is over; beefs pause --resume ends it"
                            .formatted(desktop.name()));
        }
        return new Scrubbed(desktop.name(), scrub.replicas(), scrub.bytes(), scrub.rotten());
    }

    private static HoneycombStatus look(ControlClient client) throws IOException {
        return client.status(ANSWER).honeycombs().getFirst();
    }

    private static String sentence(Scrubbed scrubbed) {
        String found = scrubbed.rotten() == 0
                ? "none is rotten."
                : Count.of(scrubbed.rotten(), "is", "are") + " rotten, to be replaced where another desktop has them.";
        return "%s: %s read, %s; %s"
                .formatted(
                        scrubbed.desktop(),
                        Count.of(scrubbed.replicas(), "replica was", "replicas were"),
                        new ByteSize(scrubbed.bytes()),
                        found);
    }
}
