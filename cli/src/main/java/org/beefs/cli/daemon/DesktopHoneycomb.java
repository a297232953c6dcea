package org.beefs.cli.daemon;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongConsumer;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.honeybee.data.LocalReplicas;
import org.beefs.honeycomb.Honeycomb;
import org.beefs.honeycomb.HoneycombConfig;
import org.beefs.honeycomb.HoneycombWorld;
import org.beefs.honeycomb.pace.LinuxPressure;
import org.beefs.honeycomb.server.DiskThreads;
import org.beefs.honeycomb.server.Traffic;

/** The honeycomb of a desktop daemon, with its threads. Thread-safe. */
final class DesktopHoneycomb implements AutoCloseable {
    private final Honeycomb honeycomb;
    private final DiskThreads threads;
    private final LogindUser user;

    private DesktopHoneycomb(Honeycomb honeycomb, DiskThreads threads, LogindUser user) {
        this.honeycomb = honeycomb;
        this.threads = threads;
        this.user = user;
    }

    /** @param machineStart as in {@link HoneycombWorld} */
    static DesktopHoneycomb open(HoneycombConfig config, Hello hello, World world, String machineStart) {
        DiskThreads threads = new DiskThreads(config.threads());
        LogindUser user = LogindUser.start();
        HoneycombWorld surroundings = new HoneycombWorld(
                world.network(),
                world.clock(),
                world.timers(),
                world.random(),
                PooledByteBufAllocator.DEFAULT,
                threads.io(),
                threads.syncs(),
                threads.fencing(),
                new LinuxPressure(world.clock()),
                user,
                NetworkCards::ofThisMachine,
                machineStart);
        try {
            return new DesktopHoneycomb(Honeycomb.open(config, hello, surroundings), threads, user);
        } catch (IOException e) {
            user.close();
            throw StartFailure.of(e);
        }
    }

    /** As the session with the queen-bee sees it. */
    LocalHoneycomb forSession() {
        return honeycomb;
    }

    /** As the mounts of this process see it. */
    LocalReplicas forMounts() {
        return new LocalReplicas(honeycomb.uuid(), honeycomb.replicas());
    }

    String address() {
        return honeycomb.address();
    }

    /** Neither copies nor checks anything for so long. */
    void pause(Duration time) {
        honeycomb.pause(time);
    }

    /** Begins to check all replicas. */
    void scrub() {
        if (!honeycomb.paused().isZero()) {
            throw new CommandFailure(
                    ExitCode.FAILED, "it is paused, and checks nothing; beefs pause --resume ends that");
        }
        honeycomb.scrubber().scrubNow();
    }

    HoneycombSpace space() {
        return honeycomb.space();
    }

    /** What other desktops have asked. */
    Traffic traffic() {
        return honeycomb.traffic();
    }

    /** What was copied here. Bytes. */
    long copied() {
        return honeycomb.copied();
    }

    /** Replica files that programs hold and must not write. */
    int fenced() {
        return honeycomb.fenced();
    }

    /** Requests that wait for a thread, by the kind of thread. */
    Map<String, Integer> waiting() {
        return threads.waiting();
    }

    /** Shows the ids of the requests that wait for the disk. */
    void forEachRequest(LongConsumer visitor) {
        threads.forEachRequest(visitor);
    }

    HoneycombStatus status(String desktop, boolean connected) {
        return HoneycombStatus.ofItself(
                desktop,
                honeycomb.uuid(),
                address(),
                connected,
                honeycomb.space(),
                honeycomb.fenced(),
                honeycomb.paused(),
                honeycomb.userActivity(),
                honeycomb.scrubber().progress());
    }

    @Override
    public void close() {
        user.close();
        honeycomb.close();
        threads.close();
    }
}
