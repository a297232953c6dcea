package org.beefs.honeycomb.replicator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.Arrivals;
import org.beefs.honeycomb.store.content.Arrival;

/**
 * Fetches some files from one source. The source carries the version before and after all of the content was read, and
 * nothing changed its file in between: so what came is that version, though it came in pieces.
 */
final class Transfer {
    private final List<Fetch> group;
    private final Source source;
    private final CopyContext context;
    private final Arrivals arrivals;
    private final List<Arrival> begun = new ArrayList<>();

    Transfer(List<Fetch> group, Source source, CopyContext context) {
        this.group = group;
        this.source = source;
        this.context = context;
        this.arrivals = context.arrivals();
    }

    /** Fetches the versions. Answers whether their contents are all here now; false when there was no time for that. */
    CompletableFuture<Boolean> run() {
        return context.disk()
                .run(this::begin)
                .thenCompose(some -> some ? fetch() : CompletableFuture.completedFuture(true))
                .whenComplete((_, _) -> end());
    }

    /** Whether there is anything that is not here yet. */
    private boolean begin() {
        for (Fetch fetch : group) {
            boolean goesOn = context.progress().isBegun(ReplicaId.of(fetch.getReplica()));
            Arrival arrival = arrivals.begin(fetch, goesOn || fetch.getSize() > FetchRun.SMALL);
            if (arrival != null) {
                begun.add(arrival);
            }
        }
        return !begun.isEmpty();
    }

    /**
     * Looks at open files and closes them, on any thread, because it must not be refused. That waits for the disk only
     * where a replica was removed meanwhile, or the disk is full: then what has come of it is removed as well.
     */
    private void end() {
        begun.forEach(arrivals::end);
    }

    private CompletableFuture<Boolean> fetch() {
        List<Fetch> missing = begun.stream().map(Arrival::fetch).toList();
        return source.statuses(missing).thenCompose(before -> {
            check(missing, before);
            return admittedContents(before)
                    .thenCompose(complete -> complete
                            ? source.statuses(missing).thenCompose(after -> install(before, after))
                            : CompletableFuture.completedFuture(false));
        });
    }

    private static void check(List<Fetch> missing, List<ReplicaStatus> statuses) {
        for (int i = 0; i < missing.size(); i++) {
            Fetch fetch = missing.get(i);
            boolean same = i < statuses.size()
                    && statuses.get(i).getVersion() == fetch.getVersion()
                    && statuses.get(i).getSize() == fetch.getSize();
            if (!same) {
                throw changed(fetch);
            }
        }
    }

    /**
     * Copies the contents when they are admitted. Small ones are admitted together, so that asking the source does not
     * take as long as copying.
     */
    private CompletableFuture<Boolean> admittedContents(List<ReplicaStatus> before) {
        if (begun.size() == 1) {
            return contents(before, context);
        }
        long bytes =
                begun.stream().mapToLong(arrival -> arrival.fetch().getSize()).sum();
        return context.admission()
                .admit(group, bytes, source)
                .thenCompose(admitted -> admitted
                        ? source.window().measure(bytes, () -> contents(before, context.admitted()))
                        : CompletableFuture.completedFuture(false));
    }

    /** Copies all contents at once: they are small, or there is one. */
    private CompletableFuture<Boolean> contents(List<ReplicaStatus> before, CopyContext shared) {
        List<CompletableFuture<Boolean>> copies = new ArrayList<>();
        for (int i = 0; i < begun.size(); i++) {
            ContentCopy copy = new ContentCopy(begun.get(i), source, shared);
            copies.add(copy.run(before.get(i).getCtime()));
        }
        return CompletableFuture.allOf(copies.toArray(CompletableFuture[]::new))
                .thenApply(ended -> copies.stream().allMatch(CompletableFuture::join));
    }

    /**
     * Installs the arrivals if no file was changed at the source: ctime tells of each change, and nobody can set it.
     */
    private CompletableFuture<Boolean> install(List<ReplicaStatus> before, List<ReplicaStatus> after) {
        for (int i = 0; i < begun.size(); i++) {
            if (i >= after.size()
                    || after.get(i).getVersion() != before.get(i).getVersion()
                    || !after.get(i).getCtime().equals(before.get(i).getCtime())) {
                throw changed(begun.get(i).fetch());
            }
        }
        return context.disk().run(() -> {
            arrivals.install(begun);
            return true;
        });
    }

    private static PosixException changed(Fetch fetch) {
        return new PosixException(
                Errno.ESTALE,
                "inode %d is not version %d any more"
                        .formatted(fetch.getReplica().getInode(), fetch.getVersion()));
    }
}
