package org.beefs.queenbee.operations;

import org.beefs.common.wire.Create;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.content.Contents;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.Session;

/**
 * A request that was carried out comes again. Its answer is the stored one, but what it opened is known in memory only and
 * may be forgotten since: the session, which had not heard the answer, could not report it.
 */
public final class Repetition {
    private final Namespace namespace;
    private final Contents contents;

    public Repetition(QueenState state) {
        namespace = state.namespace();
        contents = state.contents();
    }

    /** Makes the registry of opens say what the stored answer says. */
    public void restore(QueenRequest request, QueenReply answer, Session session) {
        if (answer.hasFailure()) {
            return;
        }
        switch (request.getOperationCase()) {
            case CREATE -> {
                Create create = request.getCreate();
                reopen(request, answer, create.getHandle(), create.getWrite() || create.getTruncate(), session);
            }
            case OPEN -> {
                Open open = request.getOpen();
                reopen(request, answer, open.getHandle(), open.getWrite(), session);
            }
            case SET_ATTRIBUTES -> {
                if (SetAttributesOperation.hasOpened(request.getSetAttributes(), answer)) {
                    reopen(request, answer, request.getSetAttributes().getHandle(), true, session);
                }
            }
            default -> {}
        }
    }

    private void reopen(QueenRequest request, QueenReply answer, long handle, boolean write, Session session) {
        Inode inode = namespace.find(answer.getNode().getAttributes().getInode());
        if (inode != null) {
            contents.open(session, inode, handle, write, request.getSequence());
        }
    }
}
