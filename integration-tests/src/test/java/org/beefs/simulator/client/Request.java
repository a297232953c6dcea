package org.beefs.simulator.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.simulator.model.Expected;
import org.beefs.simulator.model.Step;

/**
 * An operation in both worlds.
 *
 * @param description for people
 * @param steps what it is for the model
 * @param synced after its success all changes answered before it are on disk; and if this is a regular file's inode number, the
 *     file's content; 0 for what syncs nothing
 * @param call asks the file system, and shows for each step what was seen of it; a thing of no interest is any object
 */
public record Request(
        String description, List<Step> steps, long synced, Function<FileSystem, CompletableFuture<List<Object>>> call) {
    Request(String description, List<Step> steps, Function<FileSystem, CompletableFuture<List<Object>>> call) {
        this(description, steps, 0, call);
    }

    /** This request, which syncs. */
    Request syncing(long inode) {
        return new Request(description, steps, inode, call);
    }

    static Request of(String description, Step step, Function<FileSystem, CompletableFuture<?>> call) {
        return new Request(
                description, List.of(step), system -> call.apply(system).thenApply(_ -> List.of(Expected.UNSEEN)));
    }

    /** One that shows one value. */
    static Request seeing(
            String description, Step step, Function<FileSystem, CompletableFuture<? extends Object>> call) {
        return new Request(
                description, List.of(step), system -> call.apply(system).<List<Object>>thenApply(List::of));
    }
}
