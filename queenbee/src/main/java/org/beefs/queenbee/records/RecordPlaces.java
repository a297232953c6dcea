package org.beefs.queenbee.records;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.beefs.queenbee.hive.HighestKnown;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.hive.SplitMix;
import org.beefs.queenbee.namespace.Inode;

/** Chooses the honeycombs that have the record of an inode, or its tombstone. Belongs to the namespace thread. */
public final class RecordPlaces {
    /**
     * Copies of the record of an inode without content, and of a tombstone while a honeycomb that has the inode's
     * record is away.
     */
    private static final int COPIES = 3;

    private final Honeycombs honeycombs;
    private final Substitutes substitutes;

    RecordPlaces(Honeycombs honeycombs, Substitutes substitutes) {
        this.honeycombs = honeycombs;
        this.substitutes = substitutes;
    }

    /**
     * All honeycombs that may have the record of an inode, but for {@link Substitutes}. Those of a file hold its
     * replicas, so that whoever has the content also knows its name.
     */
    List<Honeycomb> all(Inode inode) {
        return hasReplicas(inode)
                ? replicas(inode)
                : chosen(inode.number(), honeycomb -> mayHave(inode.number(), honeycomb));
    }

    /**
     * Those of {@link #all} that are connected, and perhaps others of them: each change asks for it, and it takes less
     * time.
     */
    List<Honeycomb> withConnected(Inode inode) {
        return hasReplicas(inode) ? replicas(inode) : chosen(inode.number(), Honeycomb::isConnected);
    }

    /** Numbers of the honeycombs that are to be told of an inode in the place of others. */
    List<Integer> substitutes(Inode inode) {
        return substitutes.keeping(inode.number());
    }

    /**
     * Whether some are to have other records than they were as of a change, without a change of these. Who was away has
     * to hear of those, too, that were forgotten meanwhile.
     */
    boolean haveChangedSince(long change) {
        return honeycombs.everRegistered().stream().anyMatch(honeycomb -> honeycomb.retired() > change);
    }

    /** Whether a honeycomb that is to have the record of an inode was not to have it as of a change. */
    boolean isNewSince(long change, Inode inode, Honeycomb honeycomb) {
        return !hasReplicas(inode) && !wasChosen(inode.number(), honeycomb, change);
    }

    /**
     * Whether a honeycomb that was among them still is. The record of an inode that is no file stays where it is as
     * long as the inode lives.
     */
    boolean stillInclude(Inode inode, Honeycomb honeycomb) {
        if (substitutes.of(inode.number()).contains(honeycomb.number())) {
            return !substitutes.isDismissed(inode.number()) || all(inode).contains(honeycomb);
        }
        if (!inode.isRegular()) {
            return true;
        }
        if (!hasReplicas(inode)) {
            return withConnected(inode).contains(honeycomb);
        }
        return inode.isIn(honeycomb.number()) || honeycomb.errandQueue().drops().has(inode.number());
    }

    private static boolean hasReplicas(Inode inode) {
        return inode.isRegular() && inode.honeycomb() != 0;
    }

    /**
     * The honeycombs with a file's replicas. One that has yet to drop its replica has the record until it has forgotten
     * that: it may be away, and must hear if the file goes.
     */
    private List<Honeycomb> replicas(Inode file) {
        List<Honeycomb> places = new ArrayList<>(COPIES);
        add(honeycombs.of(file), places);
        file.secondaries().honeycombs().mapToObj(honeycombs::numbered).forEach(place -> add(place, places));
        for (Honeycomb honeycomb : honeycombs.errandQueues().owing(file.number())) {
            if (!places.contains(honeycomb)) {
                add(honeycomb, places);
            }
        }
        return places;
    }

    /** What is in the catalog of a forgotten honeycomb is never believed. */
    private static void add(Honeycomb place, List<Honeycomb> places) {
        if (!place.isForgotten()) {
            places.add(place);
        }
    }

    /**
     * Of some honeycombs those that are among the {@link #COPIES} heaviest of themselves and those that came before, by
     * weights that depend on inode and honeycomb only. So a new honeycomb takes its share of the records, and never
     * takes the place of another one, which may be away and keep what nobody updates any more. A retired one keeps its
     * own place, and takes none from others: so whoever is chosen stays it.
     */
    private List<Honeycomb> chosen(long inode, Predicate<Honeycomb> some) {
        List<Honeycomb> chosen = new ArrayList<>(2 * COPIES);
        long[] heaviest = new long[COPIES];
        for (Honeycomb honeycomb : honeycombs.all()) {
            long weight = weight(inode, honeycomb.number());
            if (weight > heaviest[0]) {
                if (some.test(honeycomb)) {
                    chosen.add(honeycomb);
                }
                if (!honeycomb.isRetired()) {
                    insert(heaviest, weight);
                }
            }
        }
        return chosen;
    }

    /**
     * Whether a chosen honeycomb may have the record. A lost one has heard nothing of honeycombs that were retired
     * later.
     */
    private boolean mayHave(long inode, Honeycomb chosen) {
        HighestKnown known = chosen.absence().highestKnown();
        return known == null || (known.includes(inode) && wasChosen(inode, chosen, known.change()));
    }

    /** Whether a honeycomb that is chosen now was so as of a change, when fewer were retired. */
    private boolean wasChosen(long inode, Honeycomb chosen, long change) {
        return isChosen(inode, chosen.number(), number -> {
            Honeycomb before = honeycombs.numbered(number);
            return before.isRetired() && before.retired() <= change;
        });
    }

    /**
     * Whether a honeycomb is to have the record of an inode that is no file with replicas.
     *
     * @param retired which of those that came before have been retired
     */
    public static boolean isChosen(long inode, int honeycomb, IntPredicate retired) {
        long weight = weight(inode, honeycomb);
        int heavier = 0;
        for (int number = 1; number < honeycomb && heavier < COPIES; number++) {
            if (!retired.test(number) && weight(inode, number) >= weight) {
                heavier++;
            }
        }
        return heavier < COPIES;
    }

    /**
     * A connected honeycomb that can keep the record of an inode for others; each inode begins with another one.
     *
     * @param own honeycombs that are to have the record anyway
     */
    Optional<Honeycomb> substitute(long inode, List<Honeycomb> own) {
        List<Honeycomb> all = honeycombs.all();
        int first = all.isEmpty() ? 0 : Math.floorMod(SplitMix.mix(inode), all.size());
        return IntStream.range(0, all.size())
                .mapToObj(i -> all.get((first + i) % all.size()))
                .filter(honeycomb -> honeycomb.isConnected() && !honeycomb.isRetired() && !own.contains(honeycomb))
                .findFirst();
    }

    /**
     * Numbers of the honeycombs that keep an inode's tombstone while one that has its record is away: awake ones first,
     * then asleep ones, never lost ones. The caller must remember them: later calls may choose others.
     */
    List<Integer> keepers(long inode) {
        List<Integer> keepers = new ArrayList<>(COPIES);
        addInTurn(inode, Presence.AWAKE, keepers);
        addInTurn(inode, Presence.ASLEEP, keepers);
        return keepers;
    }

    /** Adds as many keepers as are missing; each inode begins with another honeycomb. */
    private void addInTurn(long inode, Presence presence, List<Integer> keepers) {
        int all = honeycombs.all().size();
        int first = all == 0 ? 0 : Math.floorMod(SplitMix.mix(inode), all);
        for (int i = 0; i < all && keepers.size() < COPIES; i++) {
            Honeycomb honeycomb = honeycombs.all().get((first + i) % all);
            if (honeycomb.presence() == presence) {
                keepers.add(honeycomb.number());
            }
        }
    }

    /** Inserts a weight in place of the lightest, which is the first. */
    private static void insert(long[] ascending, long weight) {
        int place = 0;
        while (place + 1 < ascending.length && ascending[place + 1] < weight) {
            ascending[place] = ascending[place + 1];
            place++;
        }
        ascending[place] = weight;
    }

    /** A weight above 0, as good as random. */
    private static long weight(long inode, int honeycomb) {
        return (SplitMix.mix(inode * 0x9E3779B97F4A7C15L + honeycomb * 0xD1B54A32D192ED03L) >>> 1) | 1;
    }
}
