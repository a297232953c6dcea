package org.beefs.queenbee.server.request;

import org.beefs.common.wire.Create;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.attribute.SetAttributesOperation;

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
    void restore(Request again, QueenReply answer) {
        if (answer.hasFailure()) {
            return;
        }
        QueenRequest request = again.body();
        switch (request.getOperationCase()) {
            case CREATE -> {
                Create create = request.getCreate();
                reopen(again, answer, create.getHandle(), create.getWrite() || create.getTruncate());
            }
            case CREATE_UNNAMED ->
                reopen(again, answer, request.getCreateUnnamed().getHandle(), true);
            case OPEN -> {
                Open open = request.getOpen();
                reopen(again, answer, open.getHandle(), open.getWrite());
            }
            case SET_ATTRIBUTES -> {
                if (SetAttributesOperation.hasOpened(request.getSetAttributes(), answer)) {
                    reopen(again, answer, request.getSetAttributes().getHandle(), true);
                }
            }
            default -> {}
        }
    }

    private void reopen(Request again, QueenReply answer, long handle, boolean write) {
        Inode inode = namespace.find(answer.getNode().getAttributes().getInode());
        if (inode != null) {
            opens.open(
                    again.clearance(),
                    again.session(),
                    inode,
                    handle,
                    write,
                    again.body().getSequence());
        }
    }
}
