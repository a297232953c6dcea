package org.beefs.queenbee.server.run;

import java.util.Set;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.hive.ErrandRequests;
import org.beefs.queenbee.hive.ErrandRequests.Errand;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people, once for each replica, that its honeycomb cannot do what it is asked again and again. Only a request
 * that names one replica tells which of them fails: until then {@link ErrandRequests} halves those that failed.
 * Remembers the last {@value #BOUND}. Belongs to the namespace thread.
 */
final class FailingReplicas {
    private static final int BOUND = 1024;
    private static final Logger LOG = LoggerFactory.getLogger(FailingReplicas.class);

    private record Failing(int honeycomb, ErrandRequests.Kind kind, long inode) {}

    private final Set<Failing> told = EldestFirst.set(BOUND);

    /**
     * The honeycomb has answered that it failed. Whether that is certainly about the one replica that it was asked
     * about, and will be so again.
     */
    boolean failed(Errand errand, PosixException why) {
        boolean mayPass = why.errno() == Errno.EAGAIN || why.errno() == Errno.ENOTCONN;
        if (errand.inodes().size() != 1 || mayPass) {
            return false;
        }
        long inode = errand.inodes().getFirst();
        if (told.add(failing(errand, inode))) {
            LOG.warn(
                    "the replica of inode {} cannot be {} on {}, which is tried again and again: {}. {}; look at that desktop's"
                            + " disk and log",
                    inode,
                    participle(errand.kind()),
                    errand.honeycomb().desktop(),
                    why.getMessage(),
                    consequence(errand.kind()));
        }
        return true;
    }

    void succeeded(Errand errand) {
        if (!told.isEmpty()) {
            errand.inodes().forEach(inode -> told.remove(failing(errand, inode)));
        }
    }

    private static Failing failing(Errand errand, long inode) {
        return new Failing(errand.honeycomb().number(), errand.kind(), inode);
    }

    private static String participle(ErrandRequests.Kind kind) {
        return switch (kind) {
            case DROP -> "removed";
            case EXAMINE -> "examined";
            case SEAL -> "sealed";
            case ADOPT -> "kept as a conflict copy";
        };
    }

    private static String consequence(ErrandRequests.Kind kind) {
        return switch (kind) {
            case DROP -> "Until then it takes up space";
            case EXAMINE -> "Until then its file counts as being written";
            case ADOPT -> "Until then its changes have no name";
            case SEAL -> "Until then its content is not known to be on disk";
        };
    }
}
