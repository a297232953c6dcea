package org.beefs.queenbee.journal;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.beefs.queenbee.state.JournalRecord;

/**
 * Numbers changes, gathers their records during a pass and writes them at its end. Belongs to the namespace thread.
 *
 * <p>Three sequences, each at least as high as the next: <em>applied</em> to memory, <em>written</em> (survives the
 * death of the process), <em>durable</em> (survives a power failure).
 */
public final class Journal {
    private final StateStore store;
    private final Numbering numbering;
    private final LongSupplier lastInode;
    private final StateBatch batch = new StateBatch();
    private long applied;
    private long written;
    private long durable;

    /**
     * Continues after the last change in the store; all of it is already durable.
     *
     * @param lastInode the highest inode number that was issued
     */
    public Journal(StateStore store, Numbering numbering, long last, LongSupplier lastInode) {
        this.store = store;
        this.numbering = numbering;
        this.lastInode = lastInode;
        applied = last;
        written = last;
        durable = last;
    }

    /** The records of the running pass; whoever changes one says so by {@link #advance}. */
    public StateBatch batch() {
        return batch;
    }

    /** The number that the next change gets. */
    public long next() {
        return numbering.after(applied);
    }

    /** Numbers a change whose records are in the batch. */
    public long advance() {
        applied = next();
        return applied;
    }

    /** Writes what the pass has gathered. When this fails, nothing of the pass may leave, and the queen-bee ends. */
    public void write() throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        long sequence = applied;
        JournalRecord record = JournalRecord.newBuilder()
                .setSequence(sequence)
                .setLastInode(lastInode.getAsLong())
                .build();
        batch.put(StateKey.JOURNAL, () -> record);
        store.write(batch);
        batch.clear();
        written = sequence;
    }

    /** A flush has ended that began when {@code sequence} was written. */
    public void flushed(long sequence) {
        if (sequence > written) {
            throw new IllegalStateException("flushed " + sequence + " before it was written; written is " + written);
        }
        durable = Math.max(durable, sequence);
    }

    /** Whether a change is one of this state's, and on disk. */
    public boolean hasMade(long change) {
        return numbering.hasMade(change, durable);
    }

    public long applied() {
        return applied;
    }

    public long written() {
        return written;
    }

    public long durable() {
        return durable;
    }
}
