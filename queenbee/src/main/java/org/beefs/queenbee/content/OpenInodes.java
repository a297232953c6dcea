package org.beefs.queenbee.content;

import java.util.HashMap;
import java.util.Map;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/** The files that sessions have open, as far as they have told. Belongs to the namespace thread. */
public final class OpenInodes {
    private final Map<Long, OpenInode> open = new HashMap<>();

    /** Null when it is not open. */
    @Nullable
    OpenInode find(long number) {
        return open.get(number);
    }

    boolean isOpen(Inode inode) {
        return open.containsKey(inode.number());
    }

    boolean isOpenBy(Session session, Inode inode) {
        return isOpen(inode) && session.hasOpen(inode.number());
    }

    /** Whether nobody else has had it open since that session opened it first. */
    boolean isOpenOnlyBy(Session session, Inode inode) {
        OpenInode file = open.get(inode.number());
        return file != null && file.isOpenOnlyBy(session);
    }

    boolean isBeingWritten(Inode inode) {
        OpenInode file = open.get(inode.number());
        return file != null && file.isBeingWritten();
    }

    /** One open more. */
    OpenInode opened(Session session, Inode inode, boolean write) {
        OpenInode file = open.computeIfAbsent(inode.number(), number -> new OpenInode());
        file.opened(session, write);
        return file;
    }

    /** The last open of it has ended. */
    void closed(Inode inode) {
        open.remove(inode.number());
    }
}
