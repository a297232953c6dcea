package org.beefs.honeybee.fake;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.data.DataWorld;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.LocalReplicas;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.beefs.honeybee.queen.DecidedLog;
import org.beefs.honeybee.queen.Desktop;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.queen.QueenSession;
import org.jspecify.annotations.Nullable;

/** A desktop with its file system, between a queen-bee and a honeycomb elsewhere. */
public final class FakeHive {
    public static final Credentials ROOT = Credentials.getDefaultInstance();
    public static final Credentials USER =
            Credentials.newBuilder().setUid(1000).setGid(1000).build();
    public static final HoneybeeConfig CONFIG = HoneybeeConfig.of(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), FakeQueen.PORT), Duration.ofSeconds(60));

    private static final Hello HELLO = Hello.newBuilder()
            .setProtocol(RpcConnection.PROTOCOL)
            .setProgram("test")
            .setRole("desktop")
            .setName("desktop1")
            .build();

    public final ManualTimers timers = new ManualTimers();
    public final MemoryNetwork network = new MemoryNetwork(timers);
    public final FakeQueen queen = new FakeQueen(network, timers);
    public final FakeHoneycomb honeycomb = new FakeHoneycomb(network, timers, "desktop2");

    /** Of the log of what was decided and is not answered; outlives the daemon. */
    public final ByteBuffer decided;

    /**
     * Runs whenever the daemon looks at its clock, as for each request: for what another thread does in that moment.
     */
    public Runnable atClock = () -> {};

    public final QueenSession session;
    public final QueenProxy proxy;
    public final Honeycombs honeycombs;
    public final HiveFileSystem files;

    public FakeHive() {
        this(CONFIG, null, null);
    }

    public FakeHive(HoneybeeConfig config, @Nullable LocalHoneycomb own, @Nullable LocalReplicas local) {
        this(config, own, local, ByteBuffer.allocate(DecidedLog.BYTES));
    }

    /** @param decided what a former process of the desktop has left */
    public FakeHive(
            HoneybeeConfig config, @Nullable LocalHoneycomb own, @Nullable LocalReplicas local, ByteBuffer decided) {
        this.decided = decided;
        RpcEnvironment world = new RpcEnvironment(network, timers, clock(), new Random(1));
        DecidedLog log = new DecidedLog(decided, "start");
        Desktop desktop = new Desktop(HELLO, () -> List.of("/hive"), this::unreached, own, log);
        queen.start(FakeQueen.PORT);
        honeycomb.start(0);
        queen.newFiles = honeycomb.layout().build();
        session = new QueenSession(config, world, desktop);
        proxy = new QueenProxy(session);
        honeycombs = new Honeycombs(
                new DataWorld(
                        config,
                        world,
                        HELLO,
                        session::number,
                        session::mayChange,
                        inode -> proxy.attributes(inode).thenApply(Node::getLayout),
                        session.cache(),
                        session.sending()),
                local);
        files = new HiveFileSystem(proxy, honeycombs, timers, config, false);
    }

    private List<ByteString> unreached() {
        return honeycombs.connections().unreached();
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public long bootNanos() {
                atClock.run();
                return timers.clock().bootNanos();
            }

            @Override
            public Instant now() {
                return timers.clock().now();
            }
        };
    }

    /** A hive whose desktop is registered. */
    public static FakeHive started() {
        FakeHive hive = new FakeHive();
        hive.get(hive.session.start());
        return hive;
    }

    /**
     * Registers, with what is needed to decide changes, and makes a directory that is delegated.
     *
     * @param elsewhere whether new files go to another desktop
     * @return the directory
     */
    public long startWithDelegatedHome(boolean elsewhere) {
        queen.grants = true;
        queen.newInodes = NewInodes.newBuilder()
                .setFirst(5000)
                .setCount(1000)
                .setLayout(queen.newFiles.toBuilder().setDirty(true))
                .setElsewhere(elsewhere)
                .build();
        get(session.start());
        return get(files.makeDirectory(ROOT, 1, bytes("home"), 0755, 0)).getInode();
    }

    /** What comes out without any time passing. */
    public <T> T get(CompletableFuture<T> future) {
        timers.runDue();
        assertThat(future).isCompleted();
        return future.join();
    }

    /** What comes out within a time. */
    public <T> T get(CompletableFuture<T> future, Duration within) {
        timers.advance(within);
        assertThat(future).isCompleted();
        return future.join();
    }

    /** How the future has failed by now. */
    public Errno failure(CompletableFuture<?> future) {
        timers.runDue();
        assertThat(future).isCompletedExceptionally();
        return Failures.toPosix(future.exceptionNow()).errno();
    }

    public void pass(Duration time) {
        timers.advance(time);
    }

    public static ByteString bytes(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
