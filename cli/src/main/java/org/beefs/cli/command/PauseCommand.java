package org.beefs.cli.command;

import java.time.Duration;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.option.TypedTime;
import org.beefs.cli.view.Output;
import org.beefs.common.config.Durations;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps a desktop from copying for a while. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = {
            "Copies no replicas to this machine's desktops or from them for a while, so that their users have disk and network for "
                    + "themselves. What is being copied stops within seconds, and goes on later where it was.",
            "",
            "Reading and writing in mounts goes on. A restart of the desktop's daemon ends the pause. With --json there is a line for each "
                    + "desktop."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is paused; with --resume: not any more",
            "1:a desktop does not answer, or has no honeycomb; the others are paused all the same",
            "7:no desktop runs here"
        },
        footer = {"", "Examples:", "  beefs pause 1h", "  beefs pause 30m --desktop desktop2", "  beefs pause --resume"
        })
public final class PauseCommand implements Runnable {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofDays(365);

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(arity = "0..1", paramLabel = "TIME", description = "How long, such as 30m or 2h. Default: 1h")
    private String time = "1h";

    @Option(names = "--resume", description = "Go on at once.")
    private boolean resume;

    @Option(
            names = "--desktop",
            paramLabel = "DESKTOP",
            description = "Only this one. Default: all of the state folder that have a honeycomb.")
    private @Nullable String desktop;

    /** Its name in earlier versions. */
    @Option(names = "--host", hidden = true)
    void setHost(String name) {
        desktop = name;
    }

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        Duration wanted = resume
                ? Duration.ZERO
                : TypedTime.parse("TIME", time, LONGEST, "a pause is longer than nothing, and at most a year");
        String what = resume ? " is not paused any more." : " is paused for " + Durations.format(wanted) + ".";
        EachHoneycomb.run(state.hive(), desktop, (paused, client) -> {
            client.pause(wanted, ANSWER);
            output.done(paused.name(), paused.name() + what);
        });
    }
}
