package org.beefs.honeybee.trace;

import org.jspecify.annotations.Nullable;

/** Which calls somebody wants to see. Thread-safe; does not wait. */
interface Filter {
    boolean concerns(Call call);

    /** Hears what a call has brought. */
    default void learn(Call call, @Nullable Object value) {}

    /** The path of what a call is about, below what is traced; null where that is not known. */
    default @Nullable String pathOf(Call call) {
        return null;
    }
}
