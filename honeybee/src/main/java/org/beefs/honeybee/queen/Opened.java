package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Node;
import org.jspecify.annotations.Nullable;

/**
 * A file, and the open that keeps it.
 *
 * @param open null when there was no need for one
 * @param layoutValidity {@link QueenProxy#layoutValidity} when the queen-bee was asked, or the file was known
 * @param answered by the queen-bee; comes later than the node when this was decided here, and fails then if she does
 *     not know the file after all
 */
public record Opened(Node node, @Nullable OpenRecord open, long layoutValidity, CompletableFuture<Node> answered) {
    static Opened of(Node answered, @Nullable OpenRecord open, long layoutValidity) {
        return new Opened(answered, open, layoutValidity, CompletableFuture.completedFuture(answered));
    }
}
