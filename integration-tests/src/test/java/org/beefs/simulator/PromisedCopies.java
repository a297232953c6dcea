package org.beefs.simulator;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.simulator.AfterPowerLoss.Waiting;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.Survey;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.ModelState;

/**
 * Programs write files with a P-factor, sync and close them, one at a time; then a desktop is lost for ever, with its
 * disk. What fsync or close has acknowledged can be read still, or what was written after it.
 */
final class PromisedCopies {
    private static final Credentials ROOT = Credentials.getDefaultInstance();
    private static final OpenFlags WRITING = new OpenFlags(true, true, false, false, false, false);
    private static final ByteString P_FACTOR = ByteString.copyFromUtf8("beefs.p_factor");
    private static final int FILES = 3;
    private static final int LARGEST = 6000;
    private static final int MOST_HANDLES = 4;

    /** A file as its writers know it. */
    private static final class Written {
        private ByteString content = ByteString.EMPTY;

        /** Whether somebody was told that what was written is safe; since then it may be any of these. */
        private boolean acknowledged;

        private final List<ByteString> possible = new ArrayList<>(List.of(ByteString.EMPTY));
    }

    private record Handle(SimDesktop desktop, long inode) {}

    private final Hive hive;
    private final History history;
    private final Waiting waiting;
    private final RandomGenerator random;
    private final Map<Long, Written> files = new TreeMap<>();

    /** By the number that its desktop's kernel gave it, of each desktop. */
    private final Map<Handle, Long> handles = new LinkedHashMap<>();

    private final List<SimDesktop> alive;
    private int made;

    PromisedCopies(Hive hive, History history, Waiting waiting, RandomGenerator random) {
        this.hive = hive;
        this.history = history;
        this.waiting = waiting;
        this.random = random;
        this.alive = new ArrayList<>(hive.desktops());
    }

    /** How many honeycombs are to hold what was acknowledged. */
    void begin() {
        int factor = 2 + random.nextInt(2);
        history.note("the P-factor is " + factor);
        ByteString value = ByteString.copyFromUtf8(String.valueOf(factor));
        ask(
                "set the P-factor",
                anyDesktop().fileSystem().setXattr(ROOT, ModelState.ROOT, P_FACTOR, value, false, false));
    }

    /** One operation of one program. */
    void step() {
        if (files.size() < FILES) {
            create();
            return;
        }
        int kind = random.nextInt(10);
        if (handles.isEmpty() || (kind == 0 && handles.size() < MOST_HANDLES)) {
            open();
        } else if (kind < 5) {
            write(anyHandle());
        } else if (kind < 8) {
            sync(anyHandle());
        } else {
            close(anyHandle());
        }
    }

    private void create() {
        SimDesktop desktop = anyDesktop();
        ByteString name = ByteString.copyFromUtf8("promised" + made++);
        ask(
                "create " + name.toStringUtf8(),
                desktop.fileSystem()
                        .create(ROOT, ModelState.ROOT, name, 0666, 0, WRITING)
                        .thenAccept(opened -> {
                            files.put(opened.attributes().getInode(), new Written());
                            handles.put(new Handle(desktop, opened.attributes().getInode()), opened.handle());
                        }));
    }

    private void open() {
        List<Long> inodes = List.copyOf(files.keySet());
        Handle handle = new Handle(anyDesktop(), inodes.get(random.nextInt(inodes.size())));
        if (!handles.containsKey(handle)) {
            ask(
                    "open " + show(handle),
                    handle.desktop()
                            .fileSystem()
                            .open(ROOT, handle.inode(), WRITING)
                            .thenAccept(opened -> handles.put(handle, opened.handle())));
        }
    }

    private void write(Handle handle) {
        byte[] data = new byte[1 + random.nextInt(LARGEST)];
        random.nextBytes(data);
        int offset = random.nextInt(LARGEST);
        Written file = written(handle);
        ByteString after = overwritten(file.content, offset, ByteString.copyFrom(data));
        file.possible.add(after);
        boolean done = ask(
                "write %s, %d bytes at %d".formatted(show(handle), data.length, offset),
                handle.desktop()
                        .fileSystem()
                        .write(number(handle), offset, Unpooled.wrappedBuffer(data), false, false));
        if (!done) {
            history.fail(Invariant.POSIX, "a write has failed though all desktops are there that are needed");
        }
        file.content = after;
    }

    private static ByteString overwritten(ByteString before, int offset, ByteString data) {
        ByteString padded = before.concat(ByteString.copyFrom(new byte[Math.max(0, offset - before.size())]));
        ByteString rest =
                padded.size() > offset + data.size() ? padded.substring(offset + data.size()) : ByteString.EMPTY;
        return padded.substring(0, offset).concat(data).concat(rest);
    }

    private void sync(Handle handle) {
        if (ask("fsync " + show(handle), syncing(handle))) {
            acknowledge(handle);
        }
    }

    private CompletableFuture<Void> syncing(Handle handle) {
        return handle.desktop().fileSystem().sync(number(handle), random.nextBoolean());
    }

    private void close(Handle handle) {
        if (ask("close " + show(handle), closing(handle))) {
            acknowledge(handle);
        }
    }

    private CompletableFuture<Void> closing(Handle handle) {
        CompletableFuture<Void> closing = handle.desktop().fileSystem().release(number(handle));
        handles.remove(handle);
        return closing;
    }

    private void acknowledge(Handle handle) {
        Written file = written(handle);
        file.acknowledged = true;
        file.possible.clear();
        file.possible.add(file.content);
    }

    /** A desktop dies with its disk, perhaps while somebody waits for copies, and is declared lost. */
    void loseADesktop() {
        SimDesktop lost = anyDesktop();
        CompletableFuture<Void> waited = handles.isEmpty() || random.nextBoolean() ? null : syncing(anyHandle());
        if (waited != null) {
            waitAMoment(waited);
        } else if (random.nextBoolean()) {
            killPrograms();
        }
        history.note("FAULT: " + lost.host() + " is lost for ever");
        alive.remove(lost);
        lost.kill();
        handles.keySet().removeIf(handle -> handle.desktop() == lost);
        waiting.until(() -> hive.queenBee().isAway(lost), "the queen-bee does not notice that a desktop is away");
        hive.queenBee().declareLost(lost);
        closeAll();
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
            handles.remove(handle);
        }
        waitAMoment(CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new)));
    }

    /** Nobody writes any more; whether that has succeeded does not matter. */
    private void closeAll() {
        for (Handle handle : List.copyOf(handles.keySet())) {
            ask("close " + show(handle), closing(handle));
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
        Written file = Objects.requireNonNull(files.get(inode));
        CompletableFuture<ByteString> content = Survey.content(anyDesktop().fileSystem(), inode);
        waiting.until(content::isDone, "a file cannot be read");
        if (content.isCompletedExceptionally()) {
            if (file.acknowledged) {
                history.fail(
                        Invariant.SYNCED_SURVIVES,
                        "inode %d was acknowledged and cannot be read: %s".formatted(inode, content.exceptionNow()));
            }
            files.remove(inode);
            return;
        }
        ByteString present = content.resultNow();
        if (file.acknowledged && !file.possible.contains(present)) {
            history.fail(
                    Invariant.SYNCED_SURVIVES,
                    "inode %d was acknowledged with %d bytes, and has %d others"
                            .formatted(inode, file.possible.getFirst().size(), present.size()));
        }
        file.content = present;
        file.possible.clear();
        file.possible.add(present);
    }

    /** Whether it has succeeded. */
    private boolean ask(String what, CompletableFuture<?> operation) {
        history.note(what);
        waiting.until(operation::isDone, "an operation does not end: " + what);
        if (operation.isCompletedExceptionally()) {
            history.note("it fails: " + operation.exceptionNow());
            return false;
        }
        return true;
    }

    private Written written(Handle handle) {
        Written file = files.get(handle.inode());
        if (file == null) {
            throw new IllegalStateException("nobody has made inode " + handle.inode());
        }
        return file;
    }

    private long number(Handle handle) {
        Long number = handles.get(handle);
        if (number == null) {
            throw new IllegalStateException("not open: " + show(handle));
        }
        return number;
    }

    private SimDesktop anyDesktop() {
        return alive.get(random.nextInt(alive.size()));
    }

    private Handle anyHandle() {
        List<Handle> open = List.copyOf(handles.keySet());
        return open.get(random.nextInt(open.size()));
    }

    private static String show(Handle handle) {
        return "%d on %s".formatted(handle.inode(), handle.desktop().host());
    }
}
