package org.beefs.cli.configuration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;

/**
 * Chooses ports of the loopback address that nobody listens at. They lie below those that the kernel gives to outgoing
 * connections, so that they are still free when the hive comes up again. Not thread-safe.
 */
final class FreePorts {
    static final int LOWEST = 20_000;
    static final int HIGHEST = 31_999;

    private final RandomGenerator random;
    private final Set<Integer> given;

    /**
     * The choice is random, so that two hives that are set up at the same time hardly choose alike.
     *
     * @param taken ports of daemons that may not run just now
     */
    FreePorts(RandomGenerator random, Set<Integer> taken) {
        this.random = random;
        this.given = new HashSet<>(taken);
    }

    /** A port not given before. */
    InetSocketAddress next() {
        for (int attempt = 0; attempt < HIGHEST - LOWEST; attempt++) {
            int port = random.nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port) && given.add(port)) {
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            }
        }
        throw new CommandFailure(ExitCode.ADDRESS, "no port from " + LOWEST + " to " + HIGHEST + " is free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
