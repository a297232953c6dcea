package org.beefs.queenbee.server.request;

import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.Operation.Opened;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/**
 * A request that was carried out comes again. Its answer is the stored one, but what it opened is known in memory only
 * and may be forgotten since: the session, which had not heard the answer, could not report it.
 */
final class Repetition {
    private final Namespace namespace;
    private final Opens opens;

    Repetition(QueenState state) {
        namespace = state.namespace();
        opens = state.opens();
    }

    /** Makes the registry of opens say what the stored answer says. May have to be parked. */
    void restore(Operation operation, Request again, QueenReply answer) {
        Opened opened = answer.hasFailure() ? null : operation.opened(again.body(), answer);
        if (opened == null) {
            return;
        }
        Inode inode = namespace.find(answer.getNode().getAttributes().getInode());
        if (inode != null) {
            opens.open(
                    again.clearance(),
                    again.session(),
                    inode,
                    opened.handle(),
                    opened.write(),
                    again.body().getSequence());
        }
    }
}
