package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/**
 * A file, and the open that keeps it.
 *
 * @param open null when there was no need for one
 * @param term in which the queen-bee was asked, or the file was known ({@link QueenProxy#termOf}); answers that came in
 *     a later one count as of this
 * @param answered by the queen-bee; comes later than the node when this was decided here, and fails then if she does
 *     not know the file after all
 */
public record Opened(Node node, @Nullable OpenRecord open, long term, CompletableFuture<Node> answered) {
    static Opened of(Node answered, @Nullable OpenRecord open, long term) {
        return new Opened(answered, open, term, CompletableFuture.completedFuture(answered));
    }
}
