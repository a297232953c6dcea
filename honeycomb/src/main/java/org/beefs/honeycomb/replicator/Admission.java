package org.beefs.honeycomb.replicator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Fetch;

/** Lets copying go on, at the pace that suits both desktops, as long as there is time for it. Thread-safe. */
@FunctionalInterface
interface Admission {
    /** For content that was admitted with other content. */
    Admission GIVEN = (_, _, _) -> CompletableFuture.completedFuture(true);

    /** Done when so many bytes of these may be copied from there; with false if there is no time for them. */
    CompletableFuture<Boolean> admit(List<Fetch> fetches, long bytes, Source source);
}
