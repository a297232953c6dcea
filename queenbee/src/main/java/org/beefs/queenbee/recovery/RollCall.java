package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.queenbee.hive.NaturalOrder;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.HoneycombRecord;

/**
 * Which honeycombs a recovery must have asked: all that the record of the hive names, but those that are lost for good
 * or forgotten. If one of them is not asked, what only its catalog knows is lost, and what it has of files that others
 * know as well is overwritten when it comes later.
 *
 * @param without names of desktops that it goes without on purpose
 * @param outstanding how many honeycombs are to be asked as well, and cannot be reached yet
 */
public record RollCall(Set<String> without, int outstanding) {
    /** A roll call that is content with the honeycombs that were asked, whichever these are. */
    static final RollCall NONE = new RollCall(Set.of(), Integer.MAX_VALUE);

    /**
     * Fails with a sentence for people that names the desktops of honeycombs which were forgotten, or which cannot tell
     * what they knew.
     *
     * @param unfilled those of the asked ones whose catalogs are not known to have been complete
     */
    void check(CatalogHive hive, Set<ByteString> asked, Set<ByteString> unfilled) throws StateException {
        checkNames(hive);
        checkFilled(hive, asked, unfilled);
        List<HoneycombRecord> unasked =
                missed(unasked(hive, asked).stream(), hive, asked).toList();
        int forgotten = unasked.size() - outstanding;
        if (forgotten > 0) {
            String names = names(unasked, ",", _ -> false);
            throw new StateException(
                    ("%d of the hive's honeycombs are not among those that were named; not asked%s: %s. Name them as well"
                                    + " (beefs queenbee --recover --honeycombs HOST:PORT,...  of all desktops), or go on without what"
                                    + " only they know, and have them lose names that were changed since:  --without %s")
                            .formatted(
                                    forgotten,
                                    outstanding > 0 ? " so far" : "",
                                    names(unasked, ", ", honeycomb -> isReplaced(honeycomb, hive, asked)),
                                    outstanding > 0 ? "DESKTOP,..." : names));
        }
    }

    /**
     * Fails when needed catalogs are not known to have been complete, though the hive has told their honeycombs
     * something, or was about to: they were made anew, mostly because they were damaged, or are what a repair has left.
     * A honeycomb that the hive has never seen is not in its record.
     */
    private void checkFilled(CatalogHive hive, Set<ByteString> asked, Set<ByteString> unfilled) throws StateException {
        List<HoneycombRecord> empty = missed(present(hive), hive, asked)
                .filter(honeycomb -> unfilled.contains(honeycomb.getUuid()))
                .toList();
        if (!equals(NONE) && !empty.isEmpty()) {
            throw new StateException(
                    ("the catalogs of %s were made anew after a damage, or repaired in part only, and lack what they knew. If there is"
                                    + " a folder catalog.damaged there, repair it (OPERATIONS.md says how) and use it as  catalog  again; or go"
                                    + " on without what only these desktops knew:  --without %s")
                            .formatted(names(empty, ", ", _ -> false), names(empty, ",", _ -> false)));
        }
    }

    /** The honeycombs among these whose catalogs are needed. */
    private Stream<HoneycombRecord> missed(Stream<HoneycombRecord> some, CatalogHive hive, Set<ByteString> asked) {
        return some.filter(honeycomb -> !isLostForGood(honeycomb, hive, asked))
                .filter(honeycomb -> !without.contains(honeycomb.getDesktop()));
    }

    /** Desktops whose honeycombs, or a former one, were not asked, for people; empty if there are none. */
    static String unaskedNames(CatalogHive hive, Set<ByteString> asked) {
        return names(unasked(hive, asked), ", ", honeycomb -> isReplaced(honeycomb, hive, asked));
    }

    private void checkNames(CatalogHive hive) throws StateException {
        Set<String> known = present(hive).map(HoneycombRecord::getDesktop).collect(Collectors.toSet());
        for (String name : without) {
            if (!known.contains(name)) {
                throw new StateException("--without %s: the hive has no desktop with that name, but %s"
                        .formatted(name, names(present(hive).toList(), ", ", _ -> false)));
            }
        }
    }

    private static List<HoneycombRecord> unasked(CatalogHive hive, Set<ByteString> asked) {
        return present(hive)
                .filter(honeycomb -> !asked.contains(honeycomb.getUuid()))
                .toList();
    }

    /** The hive's honeycombs that are not forgotten. */
    private static Stream<HoneycombRecord> present(CatalogHive hive) {
        return hive.getHoneycombsList().stream().filter(honeycomb -> honeycomb.getForgotten() == 0);
    }

    /**
     * Whether a honeycomb is lost and need not be asked. One that is being emptied and is not away for long may still
     * have something.
     */
    private static boolean isLostForGood(HoneycombRecord honeycomb, CatalogHive hive, Set<ByteString> asked) {
        return honeycomb.getLost()
                && (honeycomb.getDeclared() || honeycomb.getDraining() || isReplaced(honeycomb, hive, asked));
    }

    /** Whether its desktop has another folder, which was asked. */
    private static boolean isReplaced(HoneycombRecord honeycomb, CatalogHive hive, Set<ByteString> asked) {
        return hive.getHoneycombsList().stream()
                .anyMatch(
                        other -> other.getDesktop().equals(honeycomb.getDesktop()) && asked.contains(other.getUuid()));
    }

    private static String names(
            List<HoneycombRecord> honeycombs, String separator, Predicate<HoneycombRecord> isReplaced) {
        Set<String> names = new TreeSet<>(NaturalOrder.INSTANCE);
        honeycombs.forEach(honeycomb ->
                names.add(honeycomb.getDesktop() + (isReplaced.test(honeycomb) ? " (an earlier folder)" : "")));
        return String.join(separator, names);
    }
}
