package org.beefs.cli.configuration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;

/**
 * Chooses ports of the loopback address that nobody has. They lie below those that the kernel gives to outgoing
 * connections, so that they are still free when the hive comes up again. Not thread-safe.
 *
 * <p>Until it is closed it holds them, so that no other hive that is set up meanwhile gets the same. The daemons can
 * listen there nevertheless, and until they do who connects is refused.
 */
public final class FreePorts implements AutoCloseable {
    static final int LOWEST = 20_000;
    static final int HIGHEST = 31_999;

    private final RandomGenerator random;
    private final Set<Integer> configured = new HashSet<>();
    private final List<SocketChannel> held = new ArrayList<>();

    public FreePorts(RandomGenerator random) {
        this.random = random;
    }

    /** Leaves out ports of daemons that may not run just now. */
    void leaveOut(Set<Integer> ports) {
        configured.addAll(ports);
    }

    /** A port not given before. */
    InetSocketAddress next() {
        for (int attempt = 0; attempt < HIGHEST - LOWEST; attempt++) {
            int port = random.nextInt(LOWEST, HIGHEST + 1);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            if (!configured.contains(port) && hold(address)) {
                return address;
            }
        }
        throw new CommandFailure(ExitCode.ADDRESS, "no port from " + LOWEST + " to " + HIGHEST + " is free");
    }

    /**
     * Binds a port. Of two sockets that bind one port before either listens, Linux refuses the second unless both have
     * SO_REUSEADDR. This one does not have it while it binds, so any other makes that fail; afterwards it has, as
     * daemons' sockets do, so that they can bind.
     */
    private boolean hold(InetSocketAddress address) {
        SocketChannel socket = open();
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, false);
            socket.bind(address);
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            held.add(socket);
            return true;
        } catch (IOException e) {
            close(socket);
            return false;
        }
    }

    @Override
    public void close() {
        held.forEach(FreePorts::close);
        held.clear();
    }

    private static SocketChannel open() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
