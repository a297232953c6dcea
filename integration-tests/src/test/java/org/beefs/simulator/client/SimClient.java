package org.beefs.simulator.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeycomb.memory.OutsideFile;
import org.beefs.simulator.kernel.SimKernel;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.kernel.Trust;
import org.beefs.simulator.model.Invariant;
import org.jspecify.annotations.Nullable;

/** Programs on one mount of a desktop: what they have open, and what they have asked and not been answered. */
public final class SimClient {
    private final String name;
    private final History history;
    private final Supplier<SimKernel> mount;
    private final List<OpenHandle> handles = new ArrayList<>();
    /** What was opened, and counts when its open does. */
    private final List<OpenHandle> arriving = new ArrayList<>();

    private final List<PastFile> pastFiles = new ArrayList<>();
    /** What was closed past the daemon, and the hive may not know yet. */
    private final List<OpenHandle> ending = new ArrayList<>();

    private final TreeMap<Integer, Request> inFlight = new TreeMap<>();
    /** Operations of this life that opened, or may have. */
    private final List<Integer> opens = new ArrayList<>();
    /** Opens that ended without an answer: nobody can use or close them, so that the hive must end them by itself. */
    private final List<Integer> lostOpens = new ArrayList<>();
    /** Releases that ended without an answer: the hive knows of them when all has settled. */
    private final List<OpenHandle> lostReleases = new ArrayList<>();

    /** Writes through an open file that may be held back, since it was last flushed. */
    private final Map<OpenHandle, List<Integer>> held = new HashMap<>();

    /**
     * Inodes of open files of which writes were held back when something went wrong. Each descriptor that is open then
     * is told once what was lost.
     */
    private final Set<Long> doubtful = new HashSet<>();

    private final Supplier<CompletableFuture<Void>> settled;
    private final Whereabouts primaries;
    private final Locking locks;
    private boolean disturbed;
    private int life;

    /**
     * @param mount of the present daemon, or of the last one
     * @param book of everybody's locks
     * @param session of the present daemon
     * @param primaries where they are
     * @param settled done when the hive has all that the present daemon has decided before
     */
    public SimClient(
            String name,
            History history,
            Supplier<SimKernel> mount,
            LockBook book,
            LongSupplier session,
            Whereabouts primaries,
            Supplier<CompletableFuture<Void>> settled) {
        this.primaries = primaries;
        this.settled = settled;
        this.name = name;
        this.history = history;
        this.mount = mount;
        this.locks = new Locking(name, history, book, this::calls, session);
    }

    /** Asks, and takes the answer in when it comes. */
    public void issue(Request request) {
        issue(request, null, null);
    }

    /** Writes; what is held back of it counts as such until the file is flushed. */
    void issueWrite(Request request, OpenHandle handle) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        int number = issue(doubted(request, handle), null, null, written);
        history.whenDone(written, (succeeded, _) -> {
            if (Boolean.TRUE.equals(succeeded) && handle.behind()) {
                held.computeIfAbsent(handle, first -> new ArrayList<>()).add(number);
            } else {
                held.remove(handle); // whoever was told of a failure is not told again
            }
            if (disturbed) {
                loosen();
            }
        });
    }

    /** Flushes: fsync and the like. */
    void issueFlush(Request request, OpenHandle handle) {
        flush(handle, written -> issue(doubted(request, handle), null, null, written));
    }

    private void flush(OpenHandle handle, Consumer<CompletableFuture<Boolean>> issue) {
        List<Integer> writes = List.copyOf(held.getOrDefault(handle, List.of()));
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        history.whenDone(ended, (succeeded, _) -> {
            if (Boolean.TRUE.equals(succeeded)) {
                history.flushed(writes);
            }
            held.computeIfPresent(handle, (open, known) -> {
                List<Integer> left = new ArrayList<>(known);
                left.removeAll(writes);
                return left.isEmpty() ? null : left;
            });
        });
        issue.accept(ended);
    }

    /** How many writes through an open file may be held back. */
    int held(OpenHandle handle) {
        return held.getOrDefault(handle, List.of()).size();
    }

    /** Something goes wrong that may keep what is held back from where it belongs, until the next {@link #settle}. */
    public void disturb() {
        disturbed = true;
        loosen();
    }

    private void loosen() {
        held.keySet().forEach(handle -> doubtful.add(handle.inode()));
        history.loosen();
    }

    private void forgetDoubts(long inode) {
        if (handles.stream().noneMatch(handle -> handle.inode() == inode)) {
            doubtful.remove(inode);
        }
    }

    private Request doubted(Request request, OpenHandle handle) {
        return doubtful.contains(handle.inode()) ? request.tellingOfLoss() : request;
    }

    /** Asks for an open; once it is there the handle can be used. */
    void issueOpen(Request request, FileSystem.OpenFlags flags) {
        issue(request, flags, null);
    }

    /** Closes: the handle cannot be used from now on. */
    void issueRelease(OpenHandle handle) {
        handles.remove(handle);
        locks.closing(handle);
        if (handle.past() == null) {
            Request release = doubted(ContentRequests.release(handle), handle);
            forgetDoubts(handle.inode());
            flush(handle, ended -> {
                history.whenDone(ended, (_, _) -> locks.closed(handle));
                issue(release, null, handle, ended);
            });
        } else {
            history.note("%s closes handle %d of %d".formatted(name, handle.handle(), handle.inode()));
            CompletableFuture<Void> released = calls().release(handle.handle());
            history.whenDone(released, (_, _) -> locks.closed(handle));
            endsLater(handle, released);
        }
    }

    /** Maps a file that is open past the daemon, and closes it. The mapping stays, also beyond the daemon's life. */
    void map(OpenHandle handle) {
        OutsideFile past = handle.past();
        if (past != null && handles.remove(handle)) {
            locks.closing(handle);
            history.note("%s maps and closes handle %d of %d".formatted(name, handle.handle(), handle.inode()));
            pastFiles.add(new PastFile(past, handle, true, false, calls().releaseMapped(handle.handle())));
        }
    }

    private SystemCalls calls() {
        return mount.get().calls(new Trust());
    }

    /** Ends the use of a file past the daemon. */
    void close(PastFile past) {
        history.note("%s ends its use of %d past the daemon".formatted(name, past.inode()));
        pastFiles.remove(past);
        past.file().close();
        endsLater(past.handle(), past.released());
    }

    /**
     * No program waits for this: the hive learns that a file is closed when certainly nobody writes it any more, which
     * may take as long as somebody else has it mapped. Until then it may keep a file without names for it, or not any
     * more.
     */
    private void endsLater(OpenHandle handle, CompletableFuture<Void> released) {
        int closed = life;
        ending.add(handle);
        history.happen(state -> state.doubtOpens(List.of(handle.operation())));
        history.whenDone(released, (_, failure) -> {
            if (closed == life && ending.remove(handle)) {
                if (failure == null) {
                    history.happen(state -> state.close(handle.inode(), handle.operation()));
                } else {
                    lostReleases.add(handle);
                }
            }
        });
    }

    private void issue(Request request, FileSystem.@Nullable OpenFlags flags, @Nullable OpenHandle released) {
        issue(request, flags, released, new CompletableFuture<>());
    }

    /**
     * Asks.
     *
     * @param ended whether it succeeded, when it has ended
     * @return its number
     */
    private int issue(
            Request request,
            FileSystem.@Nullable OpenFlags flags,
            @Nullable OpenHandle released,
            CompletableFuture<Boolean> ended) {
        Integer oldest = inFlight.isEmpty() ? null : inFlight.firstKey();
        int number = history.begin(name, request);
        inFlight.put(number, request);
        if (flags != null) {
            opens.add(number);
        }
        int asked = life;
        Trust trust = new Trust();
        SystemCalls calls = mount.get().calls(trust);
        CompletableFuture<List<Object>> answer = request.call().apply(calls);
        history.whenDone(answer, (seen, thrown) -> {
            if (asked != life) {
                history.fail(Invariant.POSIX, "an answer came after the daemon's death");
                return;
            }
            boolean succeeded = thrown == null && seen != null;
            OpenHandle arrived = null;
            if (succeeded && flags != null && seen.getLast() instanceof OpenedFile opened) {
                long inode = opened.attributes().getInode();
                arrived = new OpenHandle(
                        opened.handle(),
                        inode,
                        number,
                        flags.read(),
                        flags.write(),
                        calls.isPaged(opened.handle()),
                        calls.isBehind(opened.handle()),
                        calls.past(opened.handle()));
                arriving.add(arrived);
            }
            if (!succeeded && flags != null) {
                lostOpens.add(number);
                history.happen(state -> state.doubtOpens(List.of(number)));
            }
            if (!succeeded && released != null) {
                lostReleases.add(released);
            }
            OpenHandle opened = arrived;
            long answered = history.now();
            history.whenDone(settled.get(), (_, _) -> {
                if (asked == life) {
                    Excuse excuse = new Excuse(request, trust, oldest, history.now() - answered);
                    boolean known = end(number, request, seen, thrown, excuse);
                    if (opened != null && arriving.remove(opened)) {
                        if (known) {
                            handles.add(opened);
                        } else {
                            calls.release(opened.handle()); // the model does not know what it is open of
                        }
                    }
                    ended.complete(known);
                }
            });
        });
        return number;
    }

    /**
     * What a program saw counts when the hive has all that its desktop has decided by itself: until then it may be lost
     * with the daemon, as what a local file system has not brought to disk.
     */
    private boolean end(
            int number, Request request, @Nullable List<Object> seen, @Nullable Throwable thrown, Excuse excuse) {
        inFlight.remove(number);
        boolean succeeded = history.end(name, number, seen, thrown, excuse);
        if (succeeded && request.synced() != 0) {
            history.synced(request.synced());
        }
        return succeeded;
    }

    /**
     * The daemon died. What programs wait for is never answered, and what they have open is lost, but for what they
     * read and write past the daemon: of that the hive does not know any more, so that it does not keep a file without
     * names for it.
     */
    public void died() {
        inFlight.keySet().forEach(history::abandon);
        inFlight.clear();
        arriving.stream().map(OpenHandle::past).filter(Objects::nonNull).forEach(OutsideFile::close);
        arriving.clear();
        keepPastFiles();
        handles.clear();
        locks.died();
        held.clear();
        doubtful.clear();
        history.loosen();
        lostReleases.clear();
        lostOpens.clear();
        ending.clear();
        List<Integer> surviving =
                pastFiles.stream().map(past -> past.handle().operation()).toList();
        List<Integer> opened =
                opens.stream().filter(open -> !surviving.contains(open)).toList();
        opens.clear();
        life++;
        history.happen(state -> state.endOpens(opened));
        history.happen(state -> state.doubtOpens(surviving));
        history.note("%s's daemon died, and programs keep %d files".formatted(name, surviving.size()));
    }

    private void keepPastFiles() {
        pastFiles.replaceAll(PastFile::orphaned);
        for (OpenHandle handle : handles) {
            OutsideFile past = handle.past();
            if (past != null) {
                pastFiles.add(new PastFile(past, handle, false, true, CompletableFuture.completedFuture(null)));
            }
        }
    }

    /**
     * The queen-bee died. If she had carried an open out and not answered it, she will know of it only when it is asked
     * again; if somebody unlinks the file before that, it goes.
     */
    public void queenBeeDied() {
        List<Integer> opening = opens.stream().filter(inFlight::containsKey).toList();
        history.happen(state -> state.doubtOpens(opening));
    }

    /** To be called when nothing is in flight and what was lost on the way cannot come any more. */
    public void settle() {
        disturbed = false;
        held.clear();
        List<OpenHandle> lost = List.copyOf(lostReleases);
        lostReleases.clear();
        List<Integer> opened = List.copyOf(lostOpens);
        lostOpens.clear();
        history.happen(state -> state.endOpens(opened));
        history.happen(state -> lost.forEach(handle -> state.close(handle.inode(), handle.operation())));
    }

    public boolean hasOpen() {
        return !handles.isEmpty() || !pastFiles.isEmpty();
    }

    /** Whether something is here that the hive may not have of a file's content. */
    public boolean mayBeWriting(long inode) {
        return Stream.of(
                        handles,
                        ending,
                        pastFiles.stream().map(PastFile::handle).toList())
                .flatMap(List::stream)
                .anyMatch(handle -> handle.inode() == inode && handle.write());
    }

    /** Whether the hive may still keep something open that was closed. */
    public boolean isEnding() {
        return !ending.isEmpty();
    }

    /** Closes one of the open files, if there is any. */
    public void closeOne() {
        if (!handles.isEmpty()) {
            issueRelease(handles.getFirst());
        } else if (!pastFiles.isEmpty()) {
            close(pastFiles.getFirst());
        }
    }

    /** Closes a file that may have no name any more; false if none is open. */
    public boolean closeNameless() {
        Set<Long> nameless = history.states().stream()
                .flatMap(state -> state.openWithoutName().stream())
                .collect(Collectors.toSet());
        Optional<OpenHandle> one = handles.stream()
                .filter(handle -> nameless.contains(handle.inode()))
                .findFirst();
        one.ifPresent(this::issueRelease);
        boolean past = !pastFiles.isEmpty();
        if (past) {
            close(pastFiles.getFirst());
        }
        return past || one.isPresent();
    }

    /** Whether all is answered, but for those who wait for others' locks. */
    public boolean isIdle() {
        return inFlight.isEmpty() && locks.isIdle();
    }

    /** Whether somebody waits for another's lock. */
    public boolean isAnyWaiting() {
        return locks.isAnyWaiting();
    }

    /** Who waits for a lock that is free, for people; of use when all that is under way has arrived. */
    public List<String> forgotten() {
        return locks.forgotten();
    }

    /** Whoever has locks, and does not ask for others, gives them up. */
    public void unlockAll() {
        locks.unlockAll();
    }

    /** Nobody waits for locks any more. */
    public void interruptAll() {
        locks.interruptAll();
    }

    Locking locks() {
        return locks;
    }

    public int inFlight() {
        return inFlight.size();
    }

    /** Whether it has the file open, and its kernel keeps pages of it. */
    public boolean readsInPages(long inode) {
        return handles.stream().anyMatch(handle -> handle.inode() == inode && handle.paged());
    }

    List<OpenHandle> handles() {
        return handles;
    }

    /**
     * Whether what is read through an open file is certainly what is written elsewhere, too. Nobody can take away what
     * a kernel reads of a replica by itself, also when the file has moved on while the desktop was lost. Where none is
     * lost, nobody may read past the daemon what is elsewhere.
     */
    boolean isCurrent(OpenHandle handle) {
        if (handle.past() == null || handle.write()) {
            return true;
        }
        if (!history.mayFail() && primaries.isElsewhere(handle.inode())) {
            history.fail(
                    Invariant.NOTHING_STALE,
                    "%s reads inode %d past its daemon, and the primary is elsewhere".formatted(name, handle.inode()));
        }
        return primaries.isHere(handle.inode());
    }

    /** What is used past the daemon, which need not live. */
    List<PastFile> pastFiles() {
        return pastFiles;
    }

    /** What has not been answered, for people. */
    public Collection<String> waiting() {
        return Stream.concat(
                        inFlight.entrySet().stream()
                                .map(entry -> "#" + entry.getKey() + " "
                                        + entry.getValue().description()),
                        locks.waiting().stream())
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
