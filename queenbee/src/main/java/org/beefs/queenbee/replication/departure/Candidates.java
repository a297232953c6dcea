package org.beefs.queenbee.replication.departure;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The best of the replicas that could leave one honeycomb, as far as a search has come. Not thread-safe. */
final class Candidates {
    /** Replicas that are kept. */
    static final int MOST = 1024;

    /** What is copied within a few seconds (bytes). */
    private static final long SMALL = 64 << 20;

    /**
     * What a replica is to its file, in the order in which they go. Nobody misses an extra one, and for a secondary
     * nobody has to be promoted.
     */
    enum Kind {
        EXTRA,
        SECONDARY,
        PRIMARY
    }

    /**
     * A replica that could leave.
     *
     * @param rank what is lower leaves first
     */
    record Candidate(long inode, Kind kind, long rank, long bytes) {
        /** Whether it leaves within a few seconds, also when it has to be copied before. */
        boolean isQuick() {
            return kind == Kind.EXTRA || isSmall(bytes);
        }
    }

    private static final Comparator<Candidate> USUAL =
            Comparator.comparing(Candidate::kind).thenComparingLong(Candidate::rank);

    /** What takes long helps nobody who waits. */
    private static final Comparator<Candidate> FOR_WRITER =
            Comparator.comparing(Candidate::isQuick).reversed().thenComparing(USUAL);

    private final Comparator<Candidate> firstToGo;

    /** The last to go at the head. */
    private final PriorityQueue<Candidate> best;

    /** @param awaited whether a writer waits until something has left */
    Candidates(boolean awaited) {
        firstToGo = awaited ? FOR_WRITER : USUAL;
        best = new PriorityQueue<>(firstToGo.reversed());
    }

    static boolean isSmall(long bytes) {
        return bytes <= SMALL;
    }

    /** Whether it is among the best so far. */
    boolean mayTake(Candidate candidate) {
        return best.size() < MOST || firstToGo.compare(candidate, best.element()) < 0;
    }

    void add(Candidate candidate) {
        if (best.size() == MOST) {
            best.remove();
        }
        best.add(candidate);
    }

    boolean isEmpty() {
        return best.isEmpty();
    }

    /** The first to go first. */
    List<Candidate> inOrder() {
        return best.stream().sorted(firstToGo).toList();
    }
}
