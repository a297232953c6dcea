package org.beefs.cli.queen;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.terminal.Visible;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.Messages.Events;
import org.beefs.queenbee.console.model.event.Event;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows what has happened. */
@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what has happened in the hive lately, the newest 500 events, the oldest of them first. Run it where the queen-bee runs. "
                    + "The page Events of the console shows earlier ones, too.",
            "",
            "Desktops that come and go, files that lack replicas, and all that administrators have done, with who did it. With --json there "
                    + "is a line for each event."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown",
            "1:there is no such desktop, or the queen-bee refuses, or does not answer any more",
            "7:the queen-bee does not run here",
            "130:ended by Ctrl-C"
        },
        footer = {"", "Examples:", "  beefs events", "  beefs events --follow", "  beefs events --kind action --json"})
public final class EventsCommand implements Runnable {
    /** The queen-bee tells no more at a time. */
    private static final int MOST = 500;

    private static final Duration LOOK = Duration.ofSeconds(1);

    @Mixin
    private StateOption state = new StateOption();

    @Option(
            names = "--follow",
            description =
                    "Go on with what happens from now on, until Ctrl-C. If more than 2000 of a kind come before it can ask for "
                            + "them, the oldest are left out.")
    private boolean follow;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            completionCandidates = Kinds.class,
            description = "Only these: ${COMPLETION-CANDIDATES}.")
    private @Nullable String kind;

    private static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Event.KINDS.iterator();
        }
    }

    @Option(names = "--desktop", paramLabel = "DESKTOP", description = "Only about this one.")
    private @Nullable String desktop;

    @Mixin
    private Output output = new Output();

    /** Id of the last one that was shown; 0 before. */
    private long last;

    @Override
    public void run() {
        if (kind != null && !Event.KINDS.contains(kind)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "there are no events of kind %s, but of these: %s".formatted(kind, String.join(", ", Event.KINDS)));
        }
        RunningQueenBee queenBee = RunningQueenBee.of(state);
        int shown = show(queenBee);
        if (shown == 0 && desktop != null) {
            checkDesktop(queenBee, desktop);
        }
        while (follow && !output.endsWithin(shown < MOST ? LOOK : Duration.ZERO)) {
            shown = show(queenBee);
        }
    }

    /** Only where nothing has happened: of a desktop that was given up there may still be something to tell. */
    private static void checkDesktop(RunningQueenBee queenBee, String desktop) {
        queenBee.get("/desktops/" + Api.encoded(desktop), Map.of(), JsonNode.class);
    }

    /** Answers how many there were after the last one. */
    private int show(RunningQueenBee queenBee) {
        Map<String, String> query = new HashMap<>();
        query.put("limit", Integer.toString(MOST));
        query.put("after", Long.toString(last));
        if (kind != null) {
            query.put("kind", kind);
        }
        if (desktop != null) {
            query.put("desktop", desktop);
        }
        List<Event> events = queenBee.get("/events", query, Events.class).events();
        events.forEach(event -> output.line(event, line(event)));
        last = events.isEmpty() ? last : events.getLast().id();
        return events.size();
    }

    private static String line(Event event) {
        String who = event.who() == null ? "" : " (" + Visible.of(event.who()) + ")";
        return event.time() + "  " + Visible.of(event.text()) + who;
    }
}
