package org.beefs.cli.control;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.control.ControlRequest.Operation;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.trace.TraceAnswer;
import org.beefs.honeybee.trace.TraceQuestion;
import tools.jackson.databind.JsonNode;

/** Asks the daemon of a process folder. */
public final class ControlClient {
    private final ProcessFolder folder;

    public ControlClient(ProcessFolder folder) {
        this.folder = folder;
    }

    /** The daemon's status; fails with IOException when it does not answer in time. */
    public DaemonStatus status(Duration patience) throws IOException {
        DaemonStatus status = ask(ControlRequest.of(Operation.STATUS), patience).status();
        if (status == null) {
            throw new IOException(folder.name() + " answered without its status");
        }
        return status;
    }

    /** Whether the daemon takes requests: not before it is ready, and not any more when it ends. */
    public boolean isListening() {
        try (SocketChannel _ = connect()) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the daemon answers. */
    public boolean answers(Duration patience) {
        try {
            status(patience);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Mounts, and answers a line for people about what the mount cannot do, if there is such a thing. Fails with
     * {@link CommandFailure} when the daemon refuses, with IOException when it does not answer.
     */
    public Optional<String> mount(WantedMount mount, Duration patience) throws IOException {
        return Optional.ofNullable(ask(ControlRequest.mount(mount), patience).note());
    }

    /** Unmounts; fails as {@link #mount}. */
    public void umount(Path path, Duration patience) throws IOException {
        ask(ControlRequest.umount(path), patience);
    }

    /** Has a desktop copy nothing for so long; fails as {@link #mount}. */
    public void pause(Duration time, Duration patience) throws IOException {
        ask(ControlRequest.pause(time), patience);
    }

    /** Has a desktop begin to compare its replicas with their checksums; fails as {@link #mount}. */
    public void scrub(Duration patience) throws IOException {
        ask(ControlRequest.of(ControlRequest.Operation.SCRUB), patience);
    }

    /** Has the queen-bee's REST interface called; fails as {@link #mount}. */
    public JsonNode api(ApiCall call, Duration patience) throws IOException {
        JsonNode reply = ask(ControlRequest.api(call), patience).api();
        if (reply == null) {
            throw new IOException(folder.name() + " answered nothing");
        }
        return reply;
    }

    /** What programs have asked of the daemon's mounts since the question before; fails as {@link #mount}. */
    public TraceAnswer trace(TraceQuestion question, Duration patience) throws IOException {
        TraceAnswer answer = ask(ControlRequest.trace(question), patience).trace();
        if (answer == null) {
            throw new IOException(folder.name() + " answered nothing");
        }
        return answer;
    }

    private ControlReply ask(ControlRequest request, Duration patience) throws IOException {
        try (SocketChannel channel = connect()) {
            ControlReply reply = within(patience, channel, request);
            if (reply.exitCode() != 0) {
                throw new CommandFailure(reply.exitCode(), String.valueOf(reply.failure()));
            }
            return reply;
        }
    }

    private SocketChannel connect() throws IOException {
        try (SocketPath address = SocketPath.of(folder.control())) {
            return SocketChannel.open(address.address());
        }
    }

    /** Socket channels have no timeout of their own: when time is over, closing the channel ends the reading thread. */
    private ControlReply within(Duration patience, SocketChannel channel, ControlRequest request) throws IOException {
        CompletableFuture<ControlReply> reply = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                JsonLine.write(channel, request);
                reply.complete(JsonLine.read(channel, ControlReply.class, JsonLine.MOST_OF_ANSWER));
            } catch (IOException | RuntimeException e) {
                reply.completeExceptionally(e);
            }
        });
        try {
            return reply.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException(folder.name() + " did not answer within " + patience.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    folder.name() + " does not answer: " + Reasons.of(Objects.requireNonNullElse(e.getCause(), e)), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
