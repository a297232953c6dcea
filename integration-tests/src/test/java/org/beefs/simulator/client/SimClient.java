package org.beefs.simulator.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.jspecify.annotations.Nullable;

/** Programs on one desktop: what they have open, and what they have asked and not been answered. */
public final class SimClient {
    private final String name;
    private final History history;
    private final Supplier<FileSystem> mount;
    private final List<OpenHandle> handles = new ArrayList<>();
    private final TreeMap<Integer, Request> inFlight = new TreeMap<>();
    /** Operations of this life that opened, or may have. */
    private final List<Integer> opens = new ArrayList<>();
    /** Opens that ended without an answer: nobody can use or close them, so that the hive must end them by itself. */
    private final List<Integer> lostOpens = new ArrayList<>();
    /** Releases that ended without an answer: the hive knows of them when all has settled. */
    private final List<OpenHandle> lostReleases = new ArrayList<>();

    private int life;

    public SimClient(String name, History history, Supplier<FileSystem> mount) {
        this.name = name;
        this.history = history;
        this.mount = mount;
    }

    /** Asks, and takes the answer in when it comes. */
    public void issue(Request request) {
        issue(request, null, null);
    }

    /** Asks for an open; once it is there the handle can be used. */
    void issueOpen(Request request, FileSystem.OpenFlags flags) {
        issue(request, flags, null);
    }

    /** Closes: the handle cannot be used from now on. */
    void issueRelease(OpenHandle handle) {
        handles.remove(handle);
        issue(ContentRequests.release(handle), null, handle);
    }

    private void issue(Request request, FileSystem.@Nullable OpenFlags flags, @Nullable OpenHandle released) {
        int number = history.begin(name, request);
        inFlight.put(number, request);
        if (flags != null) {
            opens.add(number);
        }
        int asked = life;
        CompletableFuture<List<Object>> answer = request.call().apply(mount.get());
        answer.whenComplete((seen, thrown) -> {
            if (asked != life) {
                history.fail("an answer came after the daemon's death");
                return;
            }
            inFlight.remove(number);
            boolean succeeded = history.end(name, number, seen, thrown);
            if (succeeded && request.synced() != 0) {
                history.synced(request.synced());
            }
            if (succeeded && flags != null && seen != null && seen.getLast() instanceof OpenedFile opened) {
                long inode = opened.attributes().getInode();
                handles.add(new OpenHandle(opened.handle(), inode, number, flags.read(), flags.write()));
            }
            if (!succeeded && flags != null) {
                lostOpens.add(number);
                history.happen(state -> state.doubtOpens(List.of(number)));
            }
            if (!succeeded && released != null) {
                lostReleases.add(released);
            }
        });
    }

    /** The daemon died, and the programs with it. */
    public void died() {
        inFlight.keySet().forEach(history::abandon);
        inFlight.clear();
        handles.clear();
        lostReleases.clear();
        lostOpens.clear();
        List<Integer> opened = List.copyOf(opens);
        opens.clear();
        life++;
        history.happen(state -> state.endOpens(opened));
        history.note(name + "'s programs died");
    }

    /**
     * The queen-bee died. If she had carried an open out and not answered it, she will know of it only when it is asked again; if somebody
     * unlinks the file before that, it goes.
     */
    public void queenBeeDied() {
        List<Integer> opening = opens.stream().filter(inFlight::containsKey).toList();
        history.happen(state -> state.doubtOpens(opening));
    }

    /** To be called when nothing is in flight and what was lost on the way cannot come any more. */
    public void settle() {
        List<OpenHandle> lost = List.copyOf(lostReleases);
        lostReleases.clear();
        List<Integer> opened = List.copyOf(lostOpens);
        lostOpens.clear();
        history.happen(state -> state.endOpens(opened));
        history.happen(state -> lost.forEach(handle -> state.close(handle.inode(), handle.operation())));
    }

    public boolean hasOpen() {
        return !handles.isEmpty();
    }

    /** Closes one of the open files, if there is any. */
    public void closeOne() {
        if (hasOpen()) {
            issueRelease(handles.getFirst());
        }
    }

    public boolean isIdle() {
        return inFlight.isEmpty();
    }

    public int inFlight() {
        return inFlight.size();
    }

    List<OpenHandle> handles() {
        return handles;
    }

    /** What has not been answered, for people. */
    public Collection<String> waiting() {
        return inFlight.entrySet().stream()
                .map(entry -> "#" + entry.getKey() + " " + entry.getValue().description())
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
