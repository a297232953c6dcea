package org.beefs.cli.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;
import org.beefs.cli.control.ControlRequest.ApiCall;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.program.Version;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.trace.TraceQuestion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers tools at a socket file, one request per connection. At most {@link #MAX_CONNECTIONS} at a time; further ones
 * wait in the kernel's queue. Each has a thread of the platform: a virtual one that waits is helped on by whoever
 * completes what it waits for, perhaps with a new thread, and that of a private table of mounts would keep those. A
 * tool that does not say what it wants for {@link #PATIENCE}, or then does not read the answer for as long, is hung up
 * on.
 */
public final class ControlServer implements AutoCloseable {
    static final int MAX_CONNECTIONS = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Between failures to take a connection. */
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

    private final ServerSocketChannel listener;
    private final Acceptor door;
    private final Path socket;
    private final Controlled daemon;
    private final Timers timers;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);

    /** Where tools come in. */
    @FunctionalInterface
    interface Acceptor {
        SocketChannel accept(ServerSocketChannel listener) throws IOException;
    }

    private ControlServer(ServerSocketChannel listener, Acceptor door, Path socket, Controlled daemon, Timers timers) {
        this.door = door;
        this.listener = listener;
        this.socket = socket;
        this.daemon = daemon;
        this.timers = timers;
    }

    /** Begins to answer. The caller owns the folder: a socket file left there by a dead process is replaced. */
    public static ControlServer open(Path socket, Controlled daemon, Timers timers) {
        return open(socket, ServerSocketChannel::accept, daemon, timers);
    }

    static ControlServer open(Path socket, Acceptor door, Controlled daemon, Timers timers) {
        try (SocketPath address = SocketPath.of(socket)) {
            Files.deleteIfExists(socket);
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(address.address());
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            ControlServer server = new ControlServer(listener, door, socket, daemon, timers);
            Thread.ofVirtual().name("control").start(server::accept);
            return server;
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FOLDER, "cannot make the control socket " + socket + ": " + Reasons.of(e));
        }
    }

    /** Until the listener is closed: whatever else fails, as when there are too many open files, passes. */
    private void accept() {
        boolean failing = false;
        while (listener.isOpen()) {
            connections.acquireUninterruptibly();
            try {
                begin(door.accept(listener));
                failing = false;
            } catch (ClosedChannelException e) {
                LOG.debug("the control socket is closed");
                return;
            } catch (IOException e) {
                connections.release();
                logFirst(failing, e);
                failing = true;
                LockSupport.parkNanos(AFTER_FAILURE.toNanos());
            }
        }
    }

    /** Fails, and hangs up, when this machine gives no thread. */
    private void begin(SocketChannel channel) throws IOException {
        try {
            Thread.ofPlatform().name("control-request").daemon().start(() -> serve(channel));
        } catch (OutOfMemoryError noThread) {
            close(channel);
            throw new IOException("no thread is to be had", noThread);
        }
    }

    /** Of failures in a row the first says all. */
    private void logFirst(boolean failing, IOException e) {
        if (!failing) {
            LOG.error("the control socket {} fails, and is tried again: {}", socket, Reasons.of(e));
        }
    }

    private void serve(SocketChannel channel) {
        Timers.Timer patience = hangUpLater(channel);
        try (channel) {
            ControlReply reply = answer(channel, patience);
            patience = hangUpLater(channel);
            JsonLine.write(channel, reply);
        } catch (IOException e) {
            LOG.debug("a tool's request came to nothing: {}", Reasons.of(e));
        } finally {
            patience.cancel();
            connections.release();
        }
    }

    /** @param patience with who does not say what he wants */
    private ControlReply answer(SocketChannel channel, Timers.Timer patience) throws IOException {
        ControlRequest request;
        try {
            request = JsonLine.read(channel, ControlRequest.class, JsonLine.MOST_OF_REQUEST);
        } catch (JsonLine.UnknownException e) {
            LOG.debug("a tool of another version asks: {}", Reasons.of(e));
            return ControlReply.failed(
                    ExitCode.VERSION,
                    "this daemon is BeeFS %s and does not know what is asked; restart it with the version of this tool"
                            .formatted(Version.ofProcess()));
        } finally {
            patience.cancel();
        }
        return answer(request, user(channel));
    }

    private Timers.Timer hangUpLater(SocketChannel channel) {
        return timers.schedule(PATIENCE, () -> close(channel));
    }

    /** Whose the tool is, as the kernel says; for somebody without a name his number. */
    private static String user(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    }

    private ControlReply answer(ControlRequest request, String user) {
        try {
            return carryOut(request, user);
        } catch (CommandFailure e) {
            return ControlReply.failed(e.exitCode(), Reasons.of(e));
        } catch (RuntimeException e) {
            LOG.error("{} failed", request, e);
            return ControlReply.failed(ExitCode.FAILED, Reasons.of(e));
        }
    }

    private ControlReply carryOut(ControlRequest request, String user) {
        record(request.operation(), user);
        switch (request.operation()) {
            case STATUS -> {
                return ControlReply.of(daemon.status());
            }
            case MOUNT -> {
                return ControlReply.done(daemon.mount(mount(request)).orElse(null));
            }
            case API -> {
                return ControlReply.of(daemon.api(call(request), user));
            }
            case TRACE -> {
                return ControlReply.of(daemon.trace(question(request)));
            }
            case UMOUNT -> daemon.umount(path(request));
            case PAUSE -> daemon.pause(time(request));
            case SCRUB -> daemon.scrub();
            case STOP -> daemon.stop();
        }
        return ControlReply.DONE;
    }

    /** What is asked of the REST interface is recorded there; looking is not recorded. */
    private static void record(ControlRequest.Operation operation, String user) {
        switch (operation) {
            case STATUS, API, TRACE -> {}
            default ->
                LOG.info(
                        "{} asks at the command line: {}",
                        user,
                        operation.name().toLowerCase(Locale.ROOT));
        }
    }

    private static TraceQuestion question(ControlRequest request) {
        if (request.trace() == null) {
            throw new CommandFailure(ExitCode.USAGE, "it is not said what is to be traced");
        }
        return request.trace();
    }

    private static WantedMount mount(ControlRequest request) {
        return new WantedMount(path(request).toString(), request.readOnly(), request.allowOther(), request.driver());
    }

    private static Path path(ControlRequest request) {
        if (request.path() == null || !request.path().startsWith("/")) {
            throw new CommandFailure(ExitCode.USAGE, "the request lacks an absolute path");
        }
        return Path.of(request.path());
    }

    private static ApiCall call(ControlRequest request) {
        if (request.api() == null) {
            throw new CommandFailure(ExitCode.USAGE, "the request lacks what is to be called");
        }
        return request.api();
    }

    private static Duration time(ControlRequest request) {
        if (request.millis() == null || request.millis() < 0) {
            throw new CommandFailure(ExitCode.USAGE, "the request lacks a time");
        }
        return Duration.ofMillis(request.millis());
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing a tool's connection: {}", Reasons.of(e));
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(socket);
            listener.close();
        } catch (IOException e) {
            LOG.warn("closing the control socket {}: {}", socket, Reasons.of(e));
        }
    }
}
