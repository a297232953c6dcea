package org.beefs.cli.control;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import org.beefs.queenbee.console.model.snapshot.DrainView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A daemon that only notes what tools tell it. */
public final class FakeDaemon implements Controlled {
    private static final DaemonStatus.ScrubStatus SCRUB =
            new DaemonStatus.ScrubStatus(false, null, 7, 700, null, 0, 0, 0);
    private static final DaemonStatus.ScrubStatus BEGUN =
            new DaemonStatus.ScrubStatus(true, null, 3, 300, null, 0, 0, 0);

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final List<ApiCall> apiCalls = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Map<String, Runnable> events = new ConcurrentHashMap<>();
    private volatile @Nullable CommandFailure refusal;
    private volatile boolean hasHoneycomb = true;
    private volatile boolean busy;
    private volatile boolean paused;
    private volatile boolean inRound;
    private volatile @Nullable DrainView drain;

    /** What it was told to do. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    /** Whatever it is told from now on fails. */
    public void refuse(CommandFailure failure) {
        refusal = failure;
    }

    /**
     * Something that happens while it does what it is told, is asked for its {@code status}, or for a path of its REST
     * interface.
     */
    public void whenTold(String call, Runnable event) {
        events.put(call, event);
    }

    /** What its REST interface says, as JSON; from then on there is nothing else. */
    public void answer(String path, String json) {
        answers.put(path, json);
    }

    /** What its REST interface was sent there. */
    public List<String> bodies(String path) {
        return List.copyOf(apiCalls).stream()
                .filter(call -> call.path().equals(path))
                .map(ApiCall::body)
                .toList();
    }

    /** What its REST interface was asked there. */
    public List<Map<String, String>> queries(String path) {
        return List.copyOf(apiCalls).stream()
                .filter(call -> call.path().equals(path))
                .map(ApiCall::query)
                .toList();
    }

    /** It is one of a desktop without. */
    public void removeHoneycomb() {
        hasHoneycomb = false;
    }

    /** From now on it is paused, in the middle of a round. */
    public void pauseInRound() {
        paused = true;
    }

    /** The round that it is in has no end. */
    public void stayInRound() {
        inRound = true;
    }

    /** Its honeycomb is being emptied, and never is. */
    public void drainForEver() {
        drain = new DrainView(true, 20, 2000, 0, 0, List.of(), 0, 0, false, false);
    }

    /** So much is asked of it that who traces that never sees the end. */
    public void makeBusy() {
        busy = true;
    }

    @Override
    public DaemonStatus status() {
        events.getOrDefault("status", () -> {}).run();
        var honeycomb = new DaemonStatus.HoneycombStatus(
                "desktop1",
                "u",
                "127.0.0.1:1",
                true,
                100,
                20,
                80,
                0,
                0,
                0,
                "awake",
                0,
                drain,
                paused ? 3600 : 0,
                0.5,
                "idle",
                paused || inRound ? BEGUN : SCRUB,
                0,
                List.of());
        return new DaemonStatus(
                "desktop1",
                "1",
                null,
                true,
                hasHoneycomb ? List.of(honeycomb) : List.of(),
                List.of("/mnt"),
                null,
                Map.of("/mnt", Map.of("LOOKUP", 3L)),
                "");
    }

    @Override
    public Optional<String> mount(WantedMount mount) {
        call("mount " + mount);
        return Optional.of("it is slow");
    }

    @Override
    public void umount(Path path) {
        call("umount " + path);
    }

    @Override
    public void pause(Duration time) {
        call("pause " + time);
    }

    @Override
    public void scrub() {
        call("scrub");
    }

    @Override
    public JsonNode api(ApiCall call, String user) {
        apiCalls.add(call);
        events.getOrDefault(call.path(), () -> {}).run();
        if (!answers.isEmpty()) {
            String answer = answers.get(call.path());
            if (answer == null) {
                throw new CommandFailure(ExitCode.FAILED, "there is no " + call.path());
            }
            return JsonMapper.shared().readTree(answer);
        }
        return JsonMapper.shared()
                .createObjectNode()
                .put("called", call.method() + " " + call.path())
                .put("by", user);
    }

    @Override
    public TraceAnswer trace(TraceQuestion question) {
        call("trace " + question.path());
        return new TraceAnswer(List.of(), List.of(), 3, busy);
    }

    @Override
    public void stop() {
        call("stop");
    }

    private void call(String what) {
        CommandFailure refused = refusal;
        if (refused != null) {
            throw refused;
        }
        calls.add(what);
        events.getOrDefault(what, () -> {}).run();
    }
}
