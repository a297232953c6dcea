package org.beefs.simulator;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.simulator.AfterPowerLoss.Waiting;
import org.beefs.simulator.Marks.Consequence;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.Survey;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.ModelState;
import org.beefs.simulator.world.SimProcess;

/**
 * Programs write files with a P-factor, sync and close them, one at a time; then a desktop is lost for ever, with its
 * disk. What fsync or close has acknowledged can be read still, or what was written after it.
 */
final class PromisedCopies {
    private static final Credentials ROOT = Credentials.getDefaultInstance();
    private static final OpenFlags WRITING = new OpenFlags(true, true, false, false, false, false);
    private static final ByteString P_FACTOR = ByteString.copyFromUtf8("beefs.p_factor");
    private static final ByteString REPLICAS = ByteString.copyFromUtf8("beefs.replicas");
    private static final int FILES = 5;
    private static final int LARGEST = 30_000;

    /** Longest pause of copies that nobody waits for. */
    private static final Duration PAUSE = Duration.ofSeconds(3);

    /** One of so many operations is preceded by such a pause somewhere. */
    private static final int PAUSES = 5;

    private static final int MOST_HANDLES = 4;

    /** A file that a program has open. */
    private record Handle(SimDesktop desktop, long inode) {}

    /** What the kernel gave for it, and the daemon with whose end it ends. */
    private record Open(long number, SimProcess daemon) {}

    private final Hive hive;
    private final History history;
    private final Waiting waiting;
    private final RandomGenerator random;
    private final Marks marks;

    /** Whether operations may fail because of what else goes wrong. */
    private final boolean mayFail;

    private final Map<Long, PromisedContent> files = new TreeMap<>();
    private final Map<Long, ByteString> names = new HashMap<>();
    private final Map<Handle, Open> handles = new LinkedHashMap<>();

    /**
     * Those whose files somebody has used while a desktop was away. It may be the one that they hold something back
     * for, or their own: that may come too late then.
     */
    private final Set<Handle> overtaken = new HashSet<>();

    private final List<SimDesktop> kept;
    private int factor;
    private int made;

    PromisedCopies(Hive hive, History history, Waiting waiting, boolean mayFail, RandomGenerator random, Marks marks) {
        this.hive = hive;
        this.history = history;
        this.waiting = waiting;
        this.mayFail = mayFail;
        this.random = random;
        this.marks = marks;
        this.kept = new ArrayList<>(hive.desktops());
    }

    /** How many honeycombs are to hold what was acknowledged, and how many are to have it some time later. */
    void begin() {
        factor = 2 + random.nextInt(2);
        set(REPLICAS, factor + random.nextInt(2));
        set(P_FACTOR, factor);
    }

    private void set(ByteString attribute, int value) {
        SimDesktop desktop = kept.getFirst();
        ByteString text = ByteString.copyFromUtf8(String.valueOf(value));
        String what = "set %s to %d".formatted(attribute.toStringUtf8(), value);
        must(
                ask(what, desktop, desktop.fileSystem().setXattr(ROOT, ModelState.ROOT, attribute, text, false, false)),
                "could not " + what);
    }

    /**
     * Whether a desktop may be lost now, though others have failed: their disks could not sync, or they were away for
     * so long that they counted as lost. A honeycomb believes nothing of what such a disk has, even if it was synced
     * before, and nobody counts on one that is lost, so each is one of the losses that a P-factor bears; what it had
     * has to be made elsewhere first, and becomes a conflict copy if the file has moved on.
     */
    boolean bearsALoss(long others) {
        return others + 1 < factor;
    }

    /** One operation of one program. */
    void step() {
        forgetDead();
        List<SimDesktop> usable = usable();
        if (usable.isEmpty()) {
            return;
        }
        if (random.nextInt(PAUSES) == 0) {
            any(usable).pauseCopies(Duration.ofNanos(random.nextLong(PAUSE.toNanos())));
        }
        SimDesktop desktop = any(usable);
        if (files.size() < FILES) {
            create(desktop);
            return;
        }
        int kind = random.nextInt(10);
        if (kind == 0) {
            read(desktop, any(List.copyOf(files.keySet())));
        } else if (kind == 1 && handles.size() < MOST_HANDLES) {
            open(new Handle(desktop, any(List.copyOf(files.keySet()))));
        } else {
            use(kind);
        }
    }

    private void use(int kind) {
        List<Handle> usable = handles.keySet().stream()
                .filter(handle -> isUsable(handle.desktop()))
                .toList();
        if (usable.isEmpty()) {
            return;
        }
        Handle handle = any(usable);
        overtake(handle.inode());
        if (kind < 6) {
            write(handle);
        } else if (kind < 8) {
            sync(handle);
        } else {
            close(handle);
        }
    }

    private List<SimDesktop> usable() {
        return kept.stream().filter(PromisedCopies::isUsable).toList();
    }

    private static boolean isUsable(SimDesktop desktop) {
        return desktop.isRunning() && desktop.isAwake();
    }

    /** What programs had open with a daemon that is dead, and have written through it. */
    private void forgetDead() {
        List.copyOf(handles.entrySet()).forEach(entry -> {
            if (!entry.getValue().daemon().alive()) {
                ended(entry.getKey());
                content(entry.getKey()).disturbed(entry.getKey().desktop());
            }
        });
    }

    private void create(SimDesktop desktop) {
        ByteString name = ByteString.copyFromUtf8("promised" + made++);
        SimProcess daemon = desktop.process();
        boolean done = ask(
                "create " + name.toStringUtf8() + " on " + desktop.host(),
                desktop,
                desktop.fileSystem()
                        .create(ROOT, ModelState.ROOT, name, 0666, 0, WRITING)
                        .thenAccept(opened -> {
                            files.put(opened.attributes().getInode(), new PromisedContent());
                            names.put(opened.attributes().getInode(), name);
                            handles.put(
                                    new Handle(desktop, opened.attributes().getInode()),
                                    new Open(opened.handle(), daemon));
                        }));
        must(done, "a file cannot be made");
    }

    private void open(Handle handle) {
        if (handles.containsKey(handle)) {
            return;
        }
        overtake(handle.inode());
        SimProcess daemon = handle.desktop().process();
        boolean done = ask(
                "open " + show(handle),
                handle.desktop(),
                handle.desktop()
                        .fileSystem()
                        .open(ROOT, handle.inode(), WRITING)
                        .thenAccept(opened -> handles.put(handle, new Open(opened.handle(), daemon))));
        must(done, "a file cannot be opened");
    }

    private void write(Handle handle) {
        byte[] data = new byte[1 + random.nextInt(LARGEST)];
        random.nextBytes(data);
        int offset = random.nextInt(LARGEST);
        boolean done = ask(
                "write %s, %d bytes at %d".formatted(show(handle), data.length, offset),
                handle.desktop(),
                handle.desktop()
                        .fileSystem()
                        .write(number(handle), offset, Unpooled.wrappedBuffer(data), false, false));
        content(handle).wrote(handle.desktop(), offset, ByteString.copyFrom(data));
        if (!done) {
            content(handle).disturbed(handle.desktop());
        }
        must(done || overtaken.contains(handle), "a write has failed");
    }

    private void sync(Handle handle) {
        BooleanSupplier excused = excused(handle);
        boolean done = ask("fsync " + show(handle), handle.desktop(), syncing(handle));
        must(done || excused.getAsBoolean(), "an fsync has failed");
        learn(handle, done);
    }

    private CompletableFuture<Void> syncing(Handle handle) {
        return handle.desktop().fileSystem().sync(number(handle), random.nextBoolean());
    }

    private void close(Handle handle) {
        BooleanSupplier excused = excused(handle);
        boolean done = ask("close " + show(handle), handle.desktop(), closing(handle));
        must(done || excused.getAsBoolean(), "a close has failed");
        learn(handle, done);
    }

    /**
     * Whether it may be that the queen-bee sees no progress for as long as she waits: somebody is away who is needed,
     * something has gone wrong since, or the network loses what is sent.
     */
    private BooleanSupplier excused(Handle handle) {
        boolean away = hive.network().losesFrames()
                || overtaken.contains(handle)
                || kept.size() < factor
                || !kept.stream().allMatch(this::isThere);
        int faults = faults();
        return () -> away || faults() > faults;
    }

    private int faults() {
        return Arrays.stream(Scenario.Fault.values()).mapToInt(marks::times).sum();
    }

    private CompletableFuture<Void> closing(Handle handle) {
        CompletableFuture<Void> closing = handle.desktop().fileSystem().release(number(handle));
        ended(handle);
        return closing;
    }

    private void ended(Handle handle) {
        handles.remove(handle);
        overtaken.remove(handle);
    }

    private void learn(Handle handle, boolean acknowledged) {
        if (acknowledged) {
            marks.add(Consequence.PROMISED);
        }
        if (!acknowledged) {
            content(handle).disturbed(handle.desktop());
        } else if (mayFail) {
            content(handle).acknowledged(handle.desktop());
        } else {
            content(handle).acknowledged();
        }
    }

    /** Somebody uses a file. What desktops that are away hold back of it nobody sees, and it may go on without that. */
    private void overtake(long inode) {
        if (kept.stream().allMatch(this::isThere)) {
            return;
        }
        handles.keySet().stream().filter(handle -> handle.inode() == inode).forEach(handle -> {
            overtaken.add(handle);
            if (!isThere(handle.desktop())) {
                content(handle).disturbed(handle.desktop());
            }
        });
    }

    private boolean isThere(SimDesktop desktop) {
        return isUsable(desktop) && !hive.network().isCutOff(desktop.host());
    }

    private void read(SimDesktop desktop, long inode) {
        overtake(inode);
        CompletableFuture<ByteString> reading = Survey.content(desktop.fileSystem(), inode);
        boolean done = ask("read %d on %s".formatted(inode, desktop.host()), desktop, reading);
        must(done, "a file cannot be read");
        if (done) {
            check(inode, reading.resultNow());
        }
    }

    /**
     * A desktop dies with its disk, perhaps while somebody waits for copies, and is declared lost.
     *
     * @return it
     */
    SimDesktop loseADesktop() {
        forgetDead();
        SimDesktop lost = any(kept);
        CompletableFuture<Void> waited =
                handles.isEmpty() || random.nextBoolean() ? null : syncing(any(List.copyOf(handles.keySet())));
        if (waited != null) {
            waitAMoment(waited);
        } else if (random.nextBoolean()) {
            killPrograms();
        }
        history.note("FAULT: " + lost.host() + " is lost for ever");
        kept.remove(lost);
        lost.loseForEver();
        forgetDead();
        declareLost(lost);
        closeAll();
        return lost;
    }

    /** Those that are not lost. */
    List<SimDesktop> kept() {
        return kept;
    }

    /** A queen-bee who is killed before she has decided it is told again. */
    private void declareLost(SimDesktop lost) {
        Set<SimProcess> told = new HashSet<>();
        waiting.until(
                () -> {
                    if (hive.queenBee().isAway(lost) && told.add(hive.queenBee().process())) {
                        hive.queenBee().declareLost(lost);
                    }
                    return hive.queenBee().isLost(lost);
                },
                "the queen-bee does not give up a desktop that is away");
    }

    /**
     * They write something, and end without waiting for what becomes of it: so their files may get versions of which
     * nobody is told.
     */
    private void killPrograms() {
        List<CompletableFuture<Void>> ended = new ArrayList<>();
        for (Handle handle : List.copyOf(handles.keySet())) {
            write(handle);
            history.note("its program is killed: " + show(handle));
            ended.add(handle.desktop().fileSystem().releaseKilled(number(handle)));
            ended(handle);
            content(handle).disturbed(handle.desktop());
        }
        waitAMoment(CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new)));
    }

    /** Nobody writes any more; whether that has succeeded does not matter. */
    private void closeAll() {
        for (Handle handle : List.copyOf(handles.keySet())) {
            ask("close " + show(handle), handle.desktop(), closing(handle));
        }
    }

    /** For some events or until it has ended. */
    private void waitAMoment(CompletableFuture<Void> waited) {
        int[] looks = {random.nextInt(200)};
        waiting.until(() -> waited.isDone() || looks[0]-- <= 0, "an fsync does not end");
    }

    /** To be called when the hive has had time to put everything in order. */
    void check() {
        hive.contradictions().forEach(history::fail);
        List.copyOf(files.keySet()).forEach(this::check);
    }

    private void check(long inode) {
        CompletableFuture<ByteString> reading = Survey.content(any(kept).fileSystem(), inode);
        waiting.until(reading::isDone, "a file cannot be read");
        if (!reading.isCompletedExceptionally()) {
            check(inode, reading.resultNow());
            if (content(inode).isSafe()) {
                marks.add(Consequence.SURVIVED);
            }
            content(inode).seen(reading.resultNow());
            return;
        }
        if (content(inode).isSafe()) {
            history.fail(
                    Invariant.SYNCED_SURVIVES,
                    "inode %d was acknowledged and cannot be read: %s; on disks there is %s"
                            .formatted(inode, reading.exceptionNow(), hive.replicas(inode)));
        }
        remove(inode);
    }

    /** What nobody was promised, and is nowhere any more. */
    private void remove(long inode) {
        files.remove(inode);
        SimDesktop desktop = any(kept);
        ask(
                "remove " + inode + ", which nobody can read",
                desktop,
                desktop.fileSystem().unlink(ROOT, ModelState.ROOT, names.getOrDefault(inode, ByteString.EMPTY)));
    }

    private void check(long inode, ByteString read) {
        String wrong = content(inode).contradiction(read);
        if (wrong != null) {
            history.fail(Invariant.SYNCED_SURVIVES, "inode %d: %s".formatted(inode, wrong));
        }
    }

    /** Where nothing goes wrong for which an operation may fail, none does. */
    private void must(boolean done, String otherwise) {
        if (!done && !mayFail) {
            history.fail(Invariant.POSIX, otherwise + ", though all desktops are there that are needed");
        }
    }

    /** Whether it has succeeded. */
    private boolean ask(String what, SimDesktop desktop, CompletableFuture<?> operation) {
        history.note(what);
        SimProcess daemon = desktop.process();
        waiting.until(() -> operation.isDone() || !daemon.alive(), "an operation does not end: " + what);
        if (!operation.isDone()) {
            history.note("its daemon is dead");
            return false;
        }
        if (operation.isCompletedExceptionally()) {
            history.note("it fails: " + operation.exceptionNow());
            return false;
        }
        return true;
    }

    private PromisedContent content(Handle handle) {
        return content(handle.inode());
    }

    private PromisedContent content(long inode) {
        PromisedContent content = files.get(inode);
        if (content == null) {
            throw new IllegalStateException("nobody has made inode " + inode);
        }
        return content;
    }

    private long number(Handle handle) {
        Open open = handles.get(handle);
        if (open == null) {
            throw new IllegalStateException("not open: " + show(handle));
        }
        return open.number();
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private static String show(Handle handle) {
        return "%d on %s".formatted(handle.inode(), handle.desktop().host());
    }
}
