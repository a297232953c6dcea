package org.beefs.cli.daemon;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.configuration.QueenBeeFile;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.process.DaemonLog;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.queenbee.console.Console;
import org.beefs.queenbee.console.api.ApiRequest;
import org.beefs.queenbee.console.api.ApiResponse;
import org.beefs.queenbee.console.api.Problem;
import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The console of the queen-bee in this process. It is opened behind her back, so that desktops do not wait for it; and
 * when that fails, she goes on without. Thread-safe.
 */
final class QueenBeeConsole implements AutoCloseable {
    private static final Duration OPENING = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(QueenBeeConsole.class);

    private final Console.World world;
    private final ProcessFolder folder;
    private final SettingsFile settings;
    private final QueenBeeFile config;
    private final CompletableFuture<Console> opened = new CompletableFuture<>();

    QueenBeeConsole(Console.World world, ProcessFolder folder, SettingsFile settings, QueenBeeFile config) {
        this.world = world;
        this.folder = folder;
        this.settings = settings;
        this.config = config;
    }

    /** Begins to open it. */
    void start() {
        Thread.ofPlatform().name("beefs-console").daemon().start(this::open);
    }

    /**
     * Calls the REST interface as an administrator; a problem that it answers is a failure.
     *
     * @param user of this machine, who calls
     */
    JsonNode call(ApiCall call, String user) {
        ApiRequest request = new ApiRequest(
                call.method(), call.path(), call.query(), call.body(), Principal.atCommandLine(call.caller(user)));
        ApiResponse response = console().api().call(request);
        if (response.body() instanceof Problem problem) {
            throw new CommandFailure(ExitCode.FAILED, problem.detail());
        }
        return JsonMapper.shared().valueToTree(response.body());
    }

    @Override
    public void close() {
        opened.thenAccept(Console::close);
    }

    private void open() {
        try {
            opened.complete(Console.open(world, config.console(), settings));
        } catch (IOException | RuntimeException e) {
            LOG.error("there is no console: {}", Reasons.of(e));
            opened.completeExceptionally(e);
        }
    }

    private Console console() {
        try {
            return opened.copy()
                    .orTimeout(OPENING.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the queen-bee has no console; see %s: %s"
                            .formatted(DaemonLog.placeOfThisProcess(folder), Reasons.of(e)));
        }
    }
}
