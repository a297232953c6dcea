package org.beefs.queenbee.replication.placement;

import java.util.ArrayList;
import java.util.List;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * The honeycombs with the least lots of those that are offered, one on each desktop. A few out of many are found so
 * without sorting all. Of equal lots the one that was offered first counts as the lesser. Not thread-safe.
 */
final class LeastLots {
    private record Candidate(Honeycomb honeycomb, double lot) {}

    private final int most;

    /** Ascending. */
    private final List<Candidate> least = new ArrayList<>();

    /** @param most how many are kept */
    LeastLots(int most) {
        this.most = most;
    }

    /** Whether a honeycomb with this lot may be among them, as far as the others were offered. */
    boolean mayTake(double lot) {
        return least.size() < most || (!least.isEmpty() && isLess(lot, least.getLast()));
    }

    void offer(Honeycomb honeycomb, double lot) {
        if (!mayTake(lot) || isOnDesktopOfLesser(honeycomb, lot)) {
            return;
        }
        least.removeIf(other -> other.honeycomb.desktop().equals(honeycomb.desktop()));
        int place = least.size();
        while (place > 0 && isLess(lot, least.get(place - 1))) {
            place--;
        }
        least.add(place, new Candidate(honeycomb, lot));
        if (least.size() > most) {
            least.removeLast();
        }
    }

    private boolean isOnDesktopOfLesser(Honeycomb honeycomb, double lot) {
        return least.stream()
                .anyMatch(other -> other.honeycomb.desktop().equals(honeycomb.desktop()) && !isLess(lot, other));
    }

    private static boolean isLess(double lot, Candidate other) {
        return Double.compare(lot, other.lot) < 0;
    }

    /** Those with lesser lots first. */
    List<Honeycomb> honeycombs() {
        return least.stream().map(Candidate::honeycomb).toList();
    }
}
