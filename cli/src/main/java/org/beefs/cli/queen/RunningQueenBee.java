package org.beefs.cli.queen;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.beefs.cli.configuration.HiveSetup;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.DaemonLog;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.api.Messages.Done;
import tools.jackson.databind.json.JsonMapper;

/** The queen-bee of a state folder, for commands that ask her something. */
public final class RunningQueenBee {
    /** Going through many files takes some seconds. */
    private static final Duration ANSWER = Duration.ofMinutes(1);

    /** Telling her status does not, and one that was stopped is not waited for any longer. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

    private final ControlClient client;
    private final ProcessFolder folder;

    private RunningQueenBee(ProcessFolder folder) {
        this.client = new ControlClient(folder);
        this.folder = folder;
    }

    /** What is asked; fails with IOException when she does not answer. */
    interface Question<T> {
        T ask(ControlClient queenBee) throws IOException;
    }

    /** Fails as a command does when she does not run, or gives no sign of life. */
    public static RunningQueenBee of(StateOption state) {
        HiveFolder hive = state.hive();
        ProcessFolder folder = hive.queenBee();
        if (DaemonStopper.living(folder).isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_RUNNING, "no queen-bee runs in %s%s".formatted(folder.path(), whatToDo(hive)));
        }
        RunningQueenBee queenBee = new RunningQueenBee(folder);
        queenBee.ask(asked -> asked.status(SIGN_OF_LIFE));
        return queenBee;
    }

    private static String whatToDo(HiveFolder hive) {
        HiveSetup setup = HiveSetup.of(hive);
        boolean hasOtherMachines = setup.isOfSeveralMachines();
        if (hive.queenBee().isKnown()) {
            return hasOtherMachines ? "; see systemctl status beefs-queenbee" : "; start her: beefs up" + named(hive);
        }
        return hasOtherMachines
                ? "; she is at %s: give the command there".formatted(setup.queenBeeAddress())
                : hive.elsewhere();
    }

    private static String named(HiveFolder hive) {
        return hive.isUsedUnnamed(System.getenv()) ? "" : " --state " + hive.path();
    }

    /** Fails as a command does when she does not answer. */
    <T> T ask(Question<T> question) {
        try {
            return question.ask(client);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the queen-bee runs and does not answer (%s); see %s"
                            .formatted(Reasons.of(e), DaemonLog.placeOf(folder)));
        }
    }

    /** Calls the REST interface; fails likewise, also with the problem that it answers. */
    <T> T call(String method, String path, Map<String, String> query, Object body, Class<T> reply) {
        JsonMapper json = JsonMapper.shared();
        ApiCall call =
                new ApiCall(method, Api.ROOT + path, query, json.writeValueAsString(body), System.getenv("SUDO_USER"));
        return json.treeToValue(ask(queenBee -> queenBee.api(call, ANSWER)), reply);
    }

    /** Does something to a desktop; likewise. */
    Done act(String method, String desktop, String action) {
        return call(method, "/desktops/" + Api.encoded(desktop) + "/" + action, Map.of(), Map.of(), Done.class);
    }

    /** Likewise, for what only tells. */
    <T> T get(String path, Map<String, String> query, Class<T> reply) {
        return call("GET", path, query, Map.of(), reply);
    }
}
