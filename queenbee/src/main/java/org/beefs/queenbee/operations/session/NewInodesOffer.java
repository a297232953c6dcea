package org.beefs.queenbee.operations.session;

import java.util.Optional;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.NewInodes;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Session;

/** Tells a desktop what it needs to make inodes by itself. */
final class NewInodesOffer {
    /** Numbers that a desktop has at most: enough for what it makes between two heartbeats. */
    private static final int MOST = 16_384;

    private final QueenState state;

    NewInodesOffer(QueenState state) {
        this.state = state;
    }

    /** @param left how many numbers the desktop says it still has; any value, as the wire's number is unsigned */
    NewInodes with(Session session, int left) {
        NewInodes.Builder offer = NewInodes.newBuilder();
        if (state.isReadOnly()) {
            return offer.build();
        }
        int kept = Math.clamp(left, 0, MOST);
        if (kept < MOST / 2) {
            int count = MOST - kept;
            long first = give(count);
            state.namespace().raiseHighest(first + count - 1);
            offer.setFirst(first).setCount(count);
        }
        place(session).ifPresent(honeycomb -> offerPlace(honeycomb, session, offer));
        return offer.build();
    }

    private long give(int count) {
        if (!state.numbering().canGive(count)) {
            state.numbering()
                    .beginNext(state.namespace().highestOwn(), state.journal().applied());
            state.writeHive();
            state.journal().advance();
        }
        return state.numbering().give(count);
    }

    private void offerPlace(Honeycomb honeycomb, Session session, NewInodes.Builder offer) {
        offer.setLayout(layout(honeycomb));
        if (honeycomb.session() == session) {
            offer.setRoom(state.primaryChooser().room());
        } else {
            offer.setElsewhere(true);
        }
    }

    /**
     * The honeycomb to which a file goes that the desktop makes now; none while that changes from file to file, because
     * its own honeycomb is filling.
     */
    private Optional<Honeycomb> place(Session session) {
        boolean hasOwn = state.honeycombs().servedBy(session).isPresent();
        return state.primaryChooser().choose(session).filter(chosen -> !hasOwn || chosen.session() == session);
    }

    private Layout layout(Honeycomb honeycomb) {
        return Layout.newBuilder()
                .setEpoch(state.numbering().base())
                .setHoneycomb(honeycomb.uuid())
                .setAddress(honeycomb.address())
                .setDesktop(honeycomb.desktop())
                .setDirty(true)
                .setReadable(true)
                .build();
    }
}
