package org.beefs.simulator.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.model.Expected;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.Step;

/**
 * An operation in both worlds.
 *
 * @param description for people
 * @param steps what it is for the model
 * @param synced after its success all changes answered before it are on disk; and if this is a regular file's inode
 *     number, the file's content; 0 for what syncs nothing
 * @param rule which one a wrong answer breaks; NOTHING_OLDER says that it changes nothing, whatever comes of it
 * @param tellsOfLoss whether it may fail with EIO because what was held back was overtaken by others
 * @param call asks the file system, and shows for each step what was seen of it; a thing of no interest is any object
 */
public record Request(
        String description,
        List<Step> steps,
        long synced,
        Invariant rule,
        boolean tellsOfLoss,
        Function<SystemCalls, CompletableFuture<List<Object>>> call) {
    Request(String description, List<Step> steps, Function<SystemCalls, CompletableFuture<List<Object>>> call) {
        this(description, steps, 0, Invariant.POSIX, false, call);
    }

    boolean changes() {
        return rule == Invariant.POSIX;
    }

    boolean looks() {
        return rule == Invariant.NOTHING_OLDER;
    }

    boolean reads() {
        return rule == Invariant.NOTHING_STALE;
    }

    /** This request, which syncs. */
    Request syncing(long inode) {
        return new Request(description, steps, inode, Invariant.SYNCED_SURVIVES, tellsOfLoss, call);
    }

    /** This request, which only looks at names and attributes. */
    Request looking() {
        return new Request(description, steps, synced, Invariant.NOTHING_OLDER, tellsOfLoss, call);
    }

    /** This request, which only reads content. */
    Request reading() {
        return new Request(description, steps, synced, Invariant.NOTHING_STALE, tellsOfLoss, call);
    }

    /** This request, through a descriptor of which writes may have been overtaken. */
    Request tellingOfLoss() {
        return new Request(description, steps, synced, rule, true, call);
    }

    static Request of(String description, Step step, Function<SystemCalls, CompletableFuture<?>> call) {
        return new Request(
                description, List.of(step), system -> call.apply(system).thenApply(_ -> List.of(Expected.UNSEEN)));
    }

    /** One that shows one value. */
    static Request seeing(
            String description, Step step, Function<SystemCalls, CompletableFuture<? extends Object>> call) {
        return new Request(
                description, List.of(step), system -> call.apply(system).<List<Object>>thenApply(List::of));
    }
}
