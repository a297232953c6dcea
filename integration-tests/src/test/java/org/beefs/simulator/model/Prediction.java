package org.beefs.simulator.model;

import java.util.EnumSet;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.jspecify.annotations.Nullable;

/**
 * What one step of an operation may answer. POSIX does not say which error comes first when several apply, so any of
 * them is right.
 *
 * @param errors errors that it may fail with
 * @param success what it shows when it succeeds; null when it must fail
 */
public record Prediction(Set<Errno> errors, @Nullable Expected success) {
    static Prediction succeeds(Expected expected) {
        return new Prediction(Set.of(), expected);
    }

    static Prediction fails(Errno first, Errno... others) {
        return new Prediction(EnumSet.of(first, others), null);
    }

    static Prediction fails(Set<Errno> errors) {
        return new Prediction(errors, null);
    }

    boolean mustFail() {
        return success == null;
    }
}
