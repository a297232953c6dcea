package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.Release;
import org.beefs.queenbee.content.Contents;

/** Ends an open. A handle that is not known was released before: that is no failure, because releases are sent again. */
final class ReleaseOperation implements Operation {
    private final Contents contents;

    ReleaseOperation(QueenState state) {
        contents = state.contents();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Release release = request.body().getRelease();
        contents.release(request.session(), release.getHandle(), release.hasStatus() ? release.getStatus() : null);
    }
}
