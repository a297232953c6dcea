package org.beefs.honeycomb.replicator;

import java.util.concurrent.CompletableFuture;

/** Lets copying go on, at the pace that suits this desktop, as long as there is time for it. Thread-safe. */
@FunctionalInterface
interface Admission {
    /** Done when so many bytes may be copied; with false if there is no time for them. */
    CompletableFuture<Boolean> admit(long bytes);
}
