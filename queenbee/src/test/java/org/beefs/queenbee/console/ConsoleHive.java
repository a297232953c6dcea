package org.beefs.queenbee.console;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.posix.FileMode;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.Logins;
import org.beefs.queenbee.console.login.WebSessions;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.drill.Drills;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.beefs.queenbee.console.web.WebServer;
import org.beefs.queenbee.journal.DiskSpace;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.recovery.CatalogAccess;
import org.beefs.queenbee.recovery.RecordSource;
import org.beefs.queenbee.server.NamespaceAccess;
import org.beefs.queenbee.testing.TestHive;

/**
 * A queen-bee and her console, without threads: the namespace thread is whoever asks. Snapshots are taken only when
 * somebody asks for one. Thread-safe.
 */
public final class ConsoleHive implements NamespaceAccess {
    public static final Duration SESSION = Duration.ofMinutes(30);

    /** As a queen-bee's file has it. */
    public record Configuration(ConsoleConfig console) {
        public static Configuration defaults() {
            return new Configuration(ConsoleConfig.defaults());
        }
    }

    private final TestHive hive;
    private final ManualTimers timers = new ManualTimers();
    private final Accounts accounts;
    private final WebSessions sessions;
    private final ConsoleModel model;
    private final Logins logins;
    private final Api api;
    private final SettingsFile settings;
    private final List<WakeAddresses> rung = new ArrayList<>();
    private final Map<String, Supplier<RecordSource>> catalogs = new HashMap<>();
    private DiskSpace ownDisk = DiskSpace.UNKNOWN;
    private long freeMemory = Long.MAX_VALUE;
    private Runnable whileDrillRests = () -> {};
    private Duration questionsTake = Duration.ZERO;
    private boolean answering = true;
    private boolean stuck;
    private boolean threads = true;
    private Duration waited = Duration.ZERO;

    public ConsoleHive(TestHive hive, Path folder) {
        this.hive = hive;
        SecureRandom random = new SecureRandom();
        accounts = new Accounts(folder, hive.time(), random);
        sessions = new WebSessions(hive.time(), random, SESSION);
        logins = new Logins(accounts, sessions, hive.time(), _ -> {});
        model = new ConsoleModel(
                this,
                new OperationTimes<>(),
                folder,
                hive.time(),
                timers,
                this::execute,
                rung::add,
                drill(),
                () -> ownDisk);
        settings = new SettingsFile(
                folder.resolve("queenbee.toml"), Map.of(), Configuration.defaults(), Configuration.defaults());
        api = new Api(model, accounts, sessions, settings, Optional::empty);
    }

    /** Drills read this catalog where a desktop listens. */
    public void setCatalog(String desktop, Supplier<RecordSource> catalog) {
        catalogs.put(desktop + ":1", catalog);
    }

    /** What there is on the queen-bee's disk. */
    public void setOwnDisk(DiskSpace space) {
        ownDisk = space;
    }

    /** For drills. */
    public void setFreeMemory(long bytes) {
        freeMemory = bytes;
    }

    /** Those of the model. */
    public ManualTimers timers() {
        return timers;
    }

    /** Whether the model can have threads. */
    public void setThreads(boolean threads) {
        this.threads = threads;
    }

    private void execute(Runnable task) {
        if (!threads) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        task.run();
    }

    /** Happens whenever a drill makes a pause. */
    public void setWhileDrillRests(Runnable action) {
        whileDrillRests = action;
    }

    private Drills.World drill() {
        return new Drills.World(ListedCatalogs::new, this::execute, this::rest, () -> freeMemory);
    }

    private void rest(Duration time) {
        hive.advance(time);
        whileDrillRests.run();
    }

    private final class ListedCatalogs implements CatalogAccess {
        @Override
        public RecordSource connect(String address, ByteString honeycomb, int all) throws IOException {
            Supplier<RecordSource> catalog = catalogs.get(address);
            if (catalog == null) {
                throw new IOException("the honeycomb at " + address + " cannot be reached");
            }
            return catalog.get();
        }

        @Override
        public void close() {}
    }

    public TestHive hive() {
        return hive;
    }

    public ConsoleModel model() {
        return model;
    }

    public Accounts accounts() {
        return accounts;
    }

    public WebSessions sessions() {
        return sessions;
    }

    public Logins logins() {
        return logins;
    }

    /** Whom it has tried to wake, in order. */
    public List<WakeAddresses> rung() {
        return rung;
    }

    public Api api() {
        return api;
    }

    /** What its web server is made of. */
    public WebServer.Parts parts() {
        return new WebServer.Parts(
                HexFormat.of().formatHex(state().hive().toByteArray()),
                model,
                new OperationTimes<>(),
                api,
                accounts,
                sessions,
                logins,
                settings,
                hive.time());
    }

    /** From now on each question takes so long. */
    public void setQuestionsTake(Duration time) {
        questionsTake = time;
    }

    /**
     * Whether acts of administrators are answered; otherwise whoever waits for that finds at once that his time is
     * over.
     */
    public void setAnswering(boolean answering) {
        this.answering = answering;
    }

    /** For how long an answer was waited for in vain. */
    public Duration waited() {
        return waited;
    }

    /** Whether questions are answered; otherwise whoever asks one finds at once that his time is over. */
    public void setStuck(boolean stuck) {
        this.stuck = stuck;
    }

    private final class NoAnswer extends CompletableFuture<QueenReply> {
        @Override
        public QueenReply get(long time, TimeUnit unit) throws TimeoutException {
            waited = Duration.of(time, unit.toChronoUnit());
            throw new TimeoutException();
        }
    }

    @Override
    public synchronized <T> CompletableFuture<T> ask(Function<QueenState, T> question) {
        CompletableFuture<T> answer = hive.queenBee().ask(question);
        hive.run();
        hive.advance(questionsTake);
        return answer;
    }

    @Override
    public synchronized CompletableFuture<QueenReply> request(QueenRequest request) {
        CompletableFuture<QueenReply> reply = hive.queenBee().request(request);
        hive.run();
        return !stuck && (answering || request.hasHiveStatus()) ? reply : new NoAnswer();
    }

    /**
     * A committed file in the root, of 100 bytes.
     *
     * @param primary number of its honeycomb
     * @param secondaries numbers of those that hold its newest version
     */
    public long makeFile(String name, int primary, int... secondaries) {
        return makeFileOfSize(100, name, primary, secondaries);
    }

    /** As {@link #makeFile}, of so many bytes. */
    public long makeFileOfSize(long size, String name, int primary, int... secondaries) {
        long epoch = state().numbering().base();
        long inode = make(name, FileMode.REGULAR | 0644, new Mutation.FirstReplica(primary, epoch, true));
        long version = state().numbering().after(0);
        apply(new Mutation.Commit(inode, version, size, 1, now(), now(), now(), false));
        apply(new Mutation.ConfirmSeal(inode));
        for (int secondary : secondaries) {
            apply(new Mutation.SetSecondary(inode, secondary, version));
        }
        return inode;
    }

    /** A secondary of an older version, or of none. */
    public void addSecondary(long inode, int honeycomb, long version) {
        apply(new Mutation.SetSecondary(inode, honeycomb, version));
    }

    /** Both as unsigned numbers. */
    public void setOwner(long inode, int uid, int gid) {
        Inode owned = Objects.requireNonNull(state().namespace().find(inode));
        int permissions = owned.mode() & FileMode.PERMISSIONS;
        apply(new Mutation.ChangeAttributes(inode, permissions, uid, gid, owned.atime(), owned.mtime(), owned.ctime()));
    }

    public long makeDirectory(String name) {
        return make(name, FileMode.DIRECTORY | 0755, Mutation.FirstReplica.NONE);
    }

    private long make(String name, int mode, Mutation.FirstReplica replica) {
        Inode root = Objects.requireNonNull(state().namespace().find(Namespace.ROOT));
        long inode = state().numbering().after(state().namespace().highestOwn());
        apply(new Mutation.MakeInode(
                Namespace.ROOT,
                ByteString.copyFromUtf8(name),
                root.directory().nextCookie(),
                inode,
                new Mutation.Birth(mode, 1000, 1000, 0, now()),
                ByteString.EMPTY,
                replica));
        return inode;
    }

    private synchronized void apply(Mutation mutation) {
        state().mutator().changeAtOnce(null, mutation);
        try {
            state().journal().write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long now() {
        return PackedTime.of(hive.time().now());
    }

    private QueenState state() {
        return hive.queenBee().state();
    }
}
