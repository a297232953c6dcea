package org.beefs.honeybee.queen;

import java.util.List;
import java.util.function.Supplier;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.Hello;
import org.jspecify.annotations.Nullable;

/**
 * The daemon that registers.
 *
 * @param name of the desktop, unique in the hive
 * @param program version of the program, for messages to people
 * @param mounts folders at which the hive is mounted, for people; asked at each heartbeat
 * @param honeycomb the honeycomb of this daemon, if it has one
 * @param log of what is decided here; without one the queen-bee is asked before each change
 */
public record Desktop(
        String name,
        String program,
        Supplier<List<String>> mounts,
        @Nullable LocalHoneycomb honeycomb,
        @Nullable DecidedLog log) {
    /** How it greets. */
    public Hello hello() {
        return Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram(program)
                .setRole("desktop")
                .setName(name)
                .build();
    }
}
