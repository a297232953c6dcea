package org.beefs.honeybee.cache;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.jspecify.annotations.Nullable;

/**
 * A change that was made here, under delegations, before the queen-bee is asked.
 *
 * @param request with what was chosen
 * @param reply that she is going to give
 * @param generation of the cache
 * @param effects which are newer here than in what she answers until {@link MetadataCache#answeredDecided}
 * @param tell tells the kernels of this desktop what has changed, which programs wait for; done when they know
 */
public record Decided(
        QueenRequest request,
        QueenReply reply,
        long generation,
        Effects effects,
        Supplier<CompletableFuture<Void>> tell) {
    /** Whether a later change may be asked for together with this one: both set attributes. */
    public boolean mayTakeMore() {
        return request.hasSetAttributes();
    }

    /**
     * This change and the next one as one, to be asked for instead of both; null when they are not of the same caller
     * and inode. {@link MetadataCache#putTogether} follows.
     */
    public @Nullable Decided with(Decided next) {
        boolean possible = mayTakeMore() && next.mayTakeMore() && generation == next.generation;
        return possible && TogetherChanges.areAlike(request, next.request)
                ? new Decided(
                        TogetherChanges.of(
                                request, next.request, next.reply.getNode().getAttributes()),
                        next.reply,
                        generation,
                        next.effects,
                        next.tell)
                : null;
    }
}
