package org.beefs.honeybee.queen;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.function.Supplier;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.wire.Hello;
import org.jspecify.annotations.Nullable;

/**
 * The daemon that registers.
 *
 * @param hello how it greets the queen-bee: with the desktop's name, which is unique in the hive
 * @param mounts folders at which the hive is mounted, for people; asked at each heartbeat
 * @param unreached UUIDs of other desktops' honeycombs that this one does not reach; asked at each registration and
 *     heartbeat
 * @param honeycomb the honeycomb of this daemon, if it has one
 * @param log of what is decided here; without one the queen-bee is asked before each change
 */
public record Desktop(
        Hello hello,
        Supplier<List<String>> mounts,
        Supplier<List<ByteString>> unreached,
        @Nullable LocalHoneycomb honeycomb,
        @Nullable DecidedLog log) {
    /** The desktop's name, unique in the hive. */
    public String name() {
        return hello.getName();
    }
}
