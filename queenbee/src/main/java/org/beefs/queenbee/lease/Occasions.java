package org.beefs.queenbee.lease;

import java.util.EnumSet;
import java.util.Set;

/**
 * Occasions that have arisen, until those are run again who are parked for them. Code that makes something available
 * reports it here, and need not know whether a request is parked for it. Belongs to the namespace thread.
 */
public final class Occasions {
    private final Set<Wait.Occasion> arisen = EnumSet.noneOf(Wait.Occasion.class);

    public void arose(Wait.Occasion occasion) {
        arisen.add(occasion);
    }

    public boolean has(Wait.Occasion occasion) {
        return arisen.contains(occasion);
    }

    /** Whether it has arisen since it was taken last. */
    public boolean take(Wait.Occasion occasion) {
        return arisen.remove(occasion);
    }
}
