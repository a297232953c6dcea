package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.SecureContent;

/** Waits until as many honeycombs have a file's content on disk as its P-factor says. */
final class SecureContentOperation implements Operation {
    private final QueenState state;

    SecureContentOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        SecureContent secure = request.body().getSecureContent();
        state.replication()
                .securing()
                .require(
                        request.session().number(),
                        secure.getNumber(),
                        new Resolver(state.namespace()).existing(secure.getInode()));
    }
}
