package org.beefs.queenbee.journal;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Makes what is written durable, on another thread, one flush at a time: whoever waits meanwhile shares the next one.
 * Belongs to the namespace thread.
 */
public final class GroupCommit {
    private final Journal journal;
    private final StateStore store;
    private final Executor executor;
    private final Consumer<Runnable> namespaceThread;
    private final FatalHandler fatal;
    private boolean flushing;

    /**
     * @param executor where flushes run
     * @param namespaceThread takes tasks for the namespace thread
     */
    public GroupCommit(
            Journal journal,
            StateStore store,
            Executor executor,
            Consumer<Runnable> namespaceThread,
            FatalHandler fatal) {
        this.journal = journal;
        this.store = store;
        this.executor = executor;
        this.namespaceThread = namespaceThread;
        this.fatal = fatal;
    }

    /** Begins a flush of everything that is written, unless one is under way or there is nothing to flush. */
    public void begin() {
        if (flushing || journal.durable() == journal.written()) {
            return;
        }
        flushing = true;
        long covered = journal.written();
        executor.execute(() -> flush(covered));
    }

    private void flush(long covered) {
        try {
            store.sync();
        } catch (IOException | RuntimeException | Error e) { // whatever it is: nobody would be answered any more
            fatal.fatal("the journal cannot be brought to disk", e);
            return;
        }
        namespaceThread.accept(() -> {
            flushing = false;
            journal.flushed(covered);
        });
    }
}
