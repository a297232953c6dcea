package org.beefs.queenbee.operations.file;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.SecureContent;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** Waits until as many honeycombs have a file's content on disk as its P-factor says. */
public final class SecureContentOperation implements Operation {
    private final QueenState state;

    public SecureContentOperation(QueenState state) {
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
