package org.beefs.queenbee.replication.departure;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** The best of the replicas that could leave one honeycomb, as far as a search has come. Not thread-safe. */
final class Candidates {
    /** Replicas that are kept. */
    static final int MOST = 1024;

    /** What is copied within a few seconds (bytes). */
    private static final long SMALL = 64 << 20;

    /** Who waits gets so much more, so that what he writes next does not need another search (bytes). */
    static final long AHEAD = SMALL;

    /** Replicas that are chosen for who waits, at most, so that small ones alone do not make up a round. */
    private static final int MOST_FOR_WRITER = MOST / 2;

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

    private static final Comparator<Candidate> FIRST_TO_GO =
            Comparator.comparing(Candidate::kind).thenComparingLong(Candidate::rank);

    private static final class Best {
        /** The last to go at the head. */
        private final PriorityQueue<Candidate> queue = new PriorityQueue<>(FIRST_TO_GO.reversed());

        boolean mayTake(Candidate candidate) {
            return queue.size() < MOST || FIRST_TO_GO.compare(candidate, queue.element()) < 0;
        }

        void offer(Candidate candidate) {
            if (mayTake(candidate)) {
                if (queue.size() == MOST) {
                    queue.remove();
                }
                queue.add(candidate);
            }
        }

        List<Candidate> inOrder() {
            return queue.stream().sorted(FIRST_TO_GO).toList();
        }
    }

    private final Best all = new Best();

    /** For who waits to write: what takes long does not help him. */
    private final Best quick = new Best();

    static boolean isSmall(long bytes) {
        return bytes <= SMALL;
    }

    /** Whether it is among the best so far. */
    boolean mayTake(Candidate candidate) {
        return all.mayTake(candidate) || (candidate.isQuick() && quick.mayTake(candidate));
    }

    void add(Candidate candidate) {
        all.offer(candidate);
        if (candidate.isQuick()) {
            quick.offer(candidate);
        }
    }

    boolean isEmpty() {
        return all.queue.isEmpty();
    }

    /**
     * Quick ones that are to leave for who waits to write, the first to go first.
     *
     * @param awaited bytes; none if not positive
     * @param most replicas
     */
    List<Candidate> chooseQuick(long awaited, int most) {
        Set<Candidate> chosen = new LinkedHashSet<>();
        fill(chosen, quick.inOrder(), awaited, Math.min(most, MOST_FOR_WRITER));
        return List.copyOf(chosen);
    }

    /**
     * All that are to leave, the first to go first.
     *
     * @param quick what {@link #chooseQuick} has chosen: these are among them
     * @param lack bytes altogether, with those; none but those if not positive
     * @param most replicas
     */
    List<Candidate> choose(List<Candidate> quick, long lack, int most) {
        Set<Candidate> chosen = new LinkedHashSet<>(quick);
        fill(chosen, all.inOrder(), lack, most);
        return List.copyOf(chosen);
    }

    private static void fill(Set<Candidate> chosen, List<Candidate> inOrder, long bytes, int most) {
        long left = bytes - chosen.stream().mapToLong(Candidate::bytes).sum();
        for (Candidate candidate : inOrder) {
            if (left <= 0 || chosen.size() >= most) {
                return;
            }
            if (chosen.add(candidate)) {
                left -= candidate.bytes();
            }
        }
    }
}
