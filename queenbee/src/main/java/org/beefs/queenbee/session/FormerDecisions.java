package org.beefs.queenbee.session;

import java.util.Map;
import java.util.Set;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.wire.Timestamp;

/**
 * Changes that desktops had decided, as far as they are known after the session that asked for them has ended, and its
 * kept answers with it. So nothing is made again that others may have changed since. In memory, the eldest goes first.
 * Belongs to the namespace thread.
 */
public final class FormerDecisions {
    /** More than the desktops of a hive have unanswered at a time when they all lose their sessions at once. */
    static final int MOST = 65_536;

    private record Made(long inode, Timestamp time) {}

    /** A numbered request of a session. */
    private record Asked(long session, long sequence) {}

    private final Set<Made> made = EldestFirst.set(MOST);
    private final Set<Long> placedElsewhere = EldestFirst.set(MOST);

    /** By what each inode was put into the root. */
    private final Map<Long, Asked> placedInRoot = EldestFirst.map(MOST);

    /** A change of an inode was made, which was decided then. */
    public void add(long inode, Timestamp time) {
        made.add(new Made(inode, time));
    }

    public boolean has(long inode, Timestamp time) {
        return made.contains(new Made(inode, time));
    }

    /** An inode has got another name than was decided. */
    public void placeElsewhere(long inode) {
        placedElsewhere.add(inode);
    }

    public boolean isElsewhere(long inode) {
        return placedElsewhere.contains(inode);
    }

    /** A session's request puts an inode into the root in place of a directory that is gone. */
    public void placeInRoot(long inode, long session, long sequence) {
        placedInRoot.put(inode, new Asked(session, sequence));
    }

    public boolean isInRoot(long inode) {
        return placedInRoot.containsKey(inode);
    }

    /**
     * Whether a session does not know yet that an inode is in the root, where its own request has put it.
     *
     * @param acknowledged the sequence below which the session has all answers
     */
    public boolean isInRootUnknownTo(long session, long acknowledged, long inode) {
        Asked asked = placedInRoot.get(inode);
        return asked != null && asked.session == session && acknowledged <= asked.sequence;
    }
}
