package org.beefs.honeycomb;

import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import org.beefs.common.config.Altered;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.memory.MemoryCatalog;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;

/** A honeycomb on a disk in memory, which is started again and again. */
abstract class HoneycombFixture {
    static final long MIB = 1 << 20;

    private static final Hello HELLO =
            Hello.newBuilder().setName("the test's desktop").build();

    final ManualTimers timers = new ManualTimers();
    final MemoryNetwork network = new MemoryNetwork(timers);
    final MemoryDisk disk = new MemoryDisk(timers.clock(), 64 * MIB);
    final MemoryCatalog catalog = new MemoryCatalog();
    final Random random = new Random(1);
    String machineStart = "first";

    Honeycomb start(Catalog with) throws IOException {
        return start(with, Runnable::run);
    }

    Honeycomb start(Catalog with, Executor syncs) throws IOException {
        return start(with, syncs, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    Honeycomb start(Catalog with, Executor syncs, InetSocketAddress listen) throws IOException {
        return start(disk, with, syncs, listen);
    }

    /** Another desktop's. */
    Honeycomb startOn(MemoryDisk other) throws IOException {
        return start(
                other, new MemoryCatalog(), Runnable::run, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Honeycomb start(MemoryDisk on, Catalog with, Executor syncs, InetSocketAddress listen) throws IOException {
        HoneycombConfig config = Altered.copy(
                HoneycombConfig.defaults(),
                Map.of(
                        "listen",
                        listen,
                        "capacity",
                        Optional.of(new ByteSize(32 * MIB)),
                        "reserve",
                        Optional.of(new ByteSize(8 * MIB)),
                        "openFiles",
                        16,
                        "threads",
                        1));
        Honeycomb honeycomb = Honeycomb.start(config, HELLO, world(syncs), on.mount(), with);
        honeycomb.registered(Long.MAX_VALUE, HoneycombOffer.getDefaultInstance(), List.of());
        return honeycomb;
    }

    HoneycombWorld world(Executor syncs) {
        return new HoneycombWorld(
                network,
                timers.clock(),
                timers,
                random,
                UnpooledByteBufAllocator.DEFAULT,
                Runnable::run,
                syncs,
                Runnable::run,
                Pressure.UNKNOWN,
                User.UNKNOWN,
                Optional::empty,
                machineStart);
    }

    static ReplicaStatus write(Honeycomb honeycomb, long inode, String text) {
        ByteBuf content = Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.UTF_8));
        try {
            return honeycomb.replicas().write(target(inode), 0, false, content).join();
        } finally {
            content.release();
        }
    }

    static List<ReplicaName> inventory(Honeycomb honeycomb) {
        return honeycomb.inventory(null, 10).join();
    }

    static DesktopReply ask(Honeycomb honeycomb, DesktopRequest.Builder request) {
        return honeycomb.serve(request.build()).join();
    }

    static DesktopRequest.Builder drop(long... inodes) {
        ReplicaNames.Builder names = ReplicaNames.newBuilder();
        for (long inode : inodes) {
            names.addReplicas(name(inode));
        }
        return DesktopRequest.newBuilder().setDrop(names);
    }

    static String read(Honeycomb honeycomb, long inode) {
        Payload payload = honeycomb.replicas().read(target(inode), 0, 100).join();
        try (payload) {
            return ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        }
    }

    static Instant mtime(Honeycomb honeycomb) {
        List<ReplicaStatus> seen =
                honeycomb.replicas().statuses(List.of(target(1))).join();
        return Timestamps.toInstant(seen.getFirst().getMtime());
    }
}
