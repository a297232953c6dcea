package org.beefs.queenbee.records;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;

/**
 * Has somebody who is there keep the record of an inode that changes while all that are to have it are away, so that
 * the queen-bee is not the only one who knows it. Belongs to the namespace thread.
 */
final class Substitution {
    /** Inodes that are looked at in a pass. */
    private static final int SLICE = 1024;

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Journal journal;
    private final Substitutes substitutes;
    private final RecordPlaces places;
    private final Function<Honeycomb, Feed> feeds;

    Substitution(
            Namespace namespace,
            Honeycombs honeycombs,
            Journal journal,
            Substitutes substitutes,
            RecordPlaces places,
            Function<Honeycomb, Feed> feeds) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.journal = journal;
        this.substitutes = substitutes;
        this.places = places;
        this.feeds = feeds;
    }

    /** Honeycombs that may have the record of an inode. */
    Set<Honeycomb> withOwn(Inode inode) {
        Set<Honeycomb> all = new LinkedHashSet<>(places.all(inode));
        all.addAll(of(inode.number()));
        return all;
    }

    /** Honeycombs that may have the record of an inode in the place of others, without forgotten ones. */
    private List<Honeycomb> of(long inode) {
        return substitutes.of(inode).stream()
                .map(honeycombs::numbered)
                .filter(honeycomb -> !honeycomb.isForgotten())
                .toList();
    }

    /** An inode has changed, or a honeycomb went that may not have heard of a change. */
    void changed(Inode inode, long now) {
        List<Honeycomb> own = places.withConnected(inode);
        if (isHeard(own)) {
            return;
        }
        keeper(inode.number(), own).ifPresent(keeper -> {
            substitutes.add(inode.number(), keeper.number());
            journal.advance();
        });
        tell(inode.number(), substitutes.keeping(inode.number()), now);
    }

    /**
     * A connected honeycomb that keeps the record already, or else another one. Empty if none is connected, or too many
     * records are kept for others already.
     */
    private Optional<Honeycomb> keeper(long inode, List<Honeycomb> own) {
        Optional<Honeycomb> former =
                of(inode).stream().filter(Honeycomb::isConnected).findFirst();
        return former.isPresent() || substitutes.isFull() ? former : places.substitute(inode, own);
    }

    /**
     * Whether one of these hears of changes. One that has not caught up yet does not count: it may go again before it
     * has heard of earlier ones.
     */
    private boolean isHeard(List<Honeycomb> own) {
        return own.stream().anyMatch(honeycomb -> feeds.apply(honeycomb).hasCaughtUp());
    }

    /** Others keep the records that these honeycombs kept, which are lost or forgotten. */
    void replace(Collection<Honeycomb> gone, long now) {
        gone.stream()
                .flatMap(honeycomb -> substitutes.keptBy(honeycomb.number()).stream())
                .map(namespace::find)
                .filter(Objects::nonNull)
                .filter(inode -> !substitutes.isDismissed(inode.number()))
                .forEach(inode -> changed(inode, now));
    }

    /** A honeycomb has caught up with all that it had missed. */
    void lookAgain() {
        substitutes.lookAgain();
    }

    /** Whether another slice would look at something. */
    boolean hasMore() {
        return substitutes.hasMore();
    }

    /** Has some of those forget the record that are not needed any more. */
    void runSlice(long now) {
        for (Long number : substitutes.next(SLICE)) {
            Inode inode = namespace.find(number);
            if (inode != null && isHeard(places.withConnected(inode))) {
                dismiss(inode, now);
            }
        }
    }

    private void dismiss(Inode inode, long now) {
        List<Honeycomb> own = places.all(inode);
        for (Integer number : substitutes.of(inode.number())) {
            Honeycomb honeycomb = honeycombs.numbered(number);
            if (honeycomb.isForgotten() || own.contains(honeycomb)) {
                substitutes.remove(inode.number(), number);
                journal.advance();
            }
        }
        substitutes.dismiss(inode.number());
        tell(inode.number(), substitutes.of(inode.number()), now);
    }

    private void tell(long inode, List<Integer> numbers, long now) {
        numbers.forEach(number -> feeds.apply(honeycombs.numbered(number)).add(inode, now));
    }

    /** A honeycomb's catalog has no record of the inode any more, unless it is to have it again. */
    void forgotten(Honeycomb honeycomb, long inode) {
        if (substitutes.isDismissed(inode) && !feeds.apply(honeycomb).isWaiting(inode)) {
            substitutes.remove(inode, honeycomb.number());
            journal.advance();
        }
    }

    /** Inodes whose records somebody keeps in the place of others, or has yet to forget. */
    int size() {
        return substitutes.size();
    }

    void load(long inode, CodedInputStream record) throws IOException {
        substitutes.load(inode, record);
    }

    /** The inode is gone; its tombstone says from now on who may have its record. */
    void end(long inode) {
        substitutes.end(inode);
    }
}
