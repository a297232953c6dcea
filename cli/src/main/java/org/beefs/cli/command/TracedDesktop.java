package org.beefs.cli.command;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.view.TraceLine;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import org.beefs.honeybee.trace.TracedCall;

/** What one desktop is asked, as it tells again and again. Not thread-safe. */
final class TracedDesktop {
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final ProcessFolder desktop;
    private final TraceQuestion question;

    /** In what calls wait for; that these change is nothing new. */
    private static final Pattern AMOUNT = Pattern.compile("[0-9.]+ (s|B|KiB|MiB|GiB)\\b");

    /** What those that wait were seen waiting for last, by their ids. */
    private final Map<String, String> waiting = new HashMap<>();

    TracedDesktop(ProcessFolder desktop, TraceQuestion question) {
        this.desktop = desktop;
        this.question = question;
    }

    /**
     * Shows what has happened since this was called before.
     *
     * @param leftOut hears how many calls nobody will be shown
     * @return whether there is more already
     */
    boolean show(Consumer<TraceLine> lines, LongConsumer leftOut) {
        TraceAnswer answer = ask();
        answer.ended().forEach(call -> lines.accept(new TraceLine(desktop.name(), TraceLine.ENDED, call)));
        if (answer.leftOut() > 0) {
            leftOut.accept(answer.leftOut());
        }
        answer.open().forEach(call -> {
            String reasons = AMOUNT.matcher(call.waits().toString()).replaceAll("");
            if (!reasons.equals(waiting.put(call.request(), reasons))) {
                lines.accept(new TraceLine(desktop.name(), TraceLine.WAITING, call));
            }
        });
        waiting.keySet()
                .retainAll(new HashSet<>(
                        answer.open().stream().map(TracedCall::request).toList()));
        return answer.more();
    }

    private TraceAnswer ask() {
        try {
            return new ControlClient(desktop).trace(question, ANSWER);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, Reasons.of(e));
        }
    }
}
