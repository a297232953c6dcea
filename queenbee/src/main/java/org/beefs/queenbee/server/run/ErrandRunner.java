package org.beefs.queenbee.server.run;

import java.util.List;
import java.util.Set;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.Observations;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.ErrandRequests;
import org.beefs.queenbee.hive.ErrandRequests.Errand;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.name.ConflictCopies;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends errands to desktops and takes what they answer. Belongs to the namespace thread. */
final class ErrandRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ErrandRunner.class);

    private final QueenState state;
    private final ErrandRequests errandRequests;
    private final HoneycombCalls calls;
    private final FailingReplicas failing = new FailingReplicas();
    private final ConflictCopies conflictCopies;

    ErrandRunner(QueenState state, HoneycombCalls calls) {
        this.state = state;
        this.calls = calls;
        errandRequests = state.errandRequests();
        conflictCopies = new ConflictCopies(state);
    }

    /** Sends what was begun. The answer comes back through the inbox. */
    void send(Errand errand) {
        calls.ask(errand.honeycomb(), errand.request(), (reply, failure) -> ended(errand, reply, failure));
    }

    private void ended(Errand errand, @Nullable DesktopReply reply, @Nullable Throwable failure) {
        if (reply == null || reply.hasFailure() || !isComplete(errand, reply)) {
            LOG.debug(
                    "{} of {} replicas failed on {}: {}",
                    errand.kind(),
                    errand.inodes().size(),
                    errand.honeycomb().desktop(),
                    failure != null ? failure.getMessage() : reply);
            if (reply != null && reply.hasFailure() && failing.failed(errand, PosixException.of(reply.getFailure()))) {
                moveOn(errand);
            }
            errandRequests.failed(errand);
        } else if (errand.kind() == ErrandRequests.Kind.ADOPT && state.grace().isRunning()) {
            errandRequests.failed(errand); // nothing can be named yet; it is asked and answered again
        } else if (errandRequests.answered(errand)) {
            failing.succeeded(errand);
            take(errand, reply);
        }
    }

    private static boolean isComplete(Errand errand, DesktopReply reply) {
        boolean reports = errand.kind() == ErrandRequests.Kind.EXAMINE || errand.kind() == ErrandRequests.Kind.ADOPT;
        int asked = errand.inodes().size();
        return (!reports || reply.getStatusesCount() == asked)
                && reply.getStatusesList().stream().allMatch(Observations::isPossible)
                && reply.getChangedCount() <= asked;
    }

    private void take(Errand errand, DesktopReply reply) {
        List<ReplicaStatus> statuses = reply.getStatusesList();
        List<Long> inodes = errand.inodes();
        switch (errand.kind()) {
            case DROP -> inodes.forEach(number -> dropped(number, errand.honeycomb()));
            case EXAMINE -> {
                for (int i = 0; i < inodes.size(); i++) {
                    examined(inodes.get(i), errand.honeycomb(), statuses.get(i));
                }
            }
            case SEAL -> {
                Set<Long> changed = Set.copyOf(reply.getChangedList());
                for (int i = 0; i < inodes.size(); i++) {
                    long version = errand.request().getSeal().getSeals(i).getVersion();
                    sealed(inodes.get(i), errand.honeycomb(), version, changed);
                }
            }
            case ADOPT -> conflictCopies.adopted(errand.honeycomb(), inodes, statuses);
        }
    }

    /** Looks after a primary that cannot be sealed: nothing copies its file as long as it is not. */
    private void moveOn(Errand errand) {
        Inode inode = state.namespace().find(errand.inodes().getFirst());
        if (errand.kind() == ErrandRequests.Kind.SEAL && inode != null) {
            state.replication().healing().refused(inode, errand.honeycomb());
        }
    }

    private void dropped(long number, Honeycomb honeycomb) {
        state.honeycombs().errandQueues().dropped(honeycomb, number);
        state.records().dropped(honeycomb, number);
        state.replication().dropped(state.namespace().find(number), honeycomb);
    }

    private void examined(long number, Honeycomb honeycomb, ReplicaStatus status) {
        Inode inode = state.namespace().find(number);
        boolean current = inode != null && state.honeycombs().of(inode) == honeycomb;
        if (inode != null && current && !state.honeycombs().errandQueues().isExaminationWanted(inode)) {
            state.leftFiles().examined(number, status);
        }
    }

    /**
     * A clean file whose replica shows something else was written after that version, and a loss of power has taken the
     * mark of it; or it only seemed to be open for writing, and is sealed again after that was looked at. What is to be
     * sealed again was opened to write meanwhile, and closed unchanged: the open has taken the version off, maybe after
     * this look.
     */
    private void sealed(long number, Honeycomb honeycomb, long version, Set<Long> changed) {
        Inode inode = state.namespace().find(number);
        boolean current = inode != null && state.honeycombs().of(inode) == honeycomb && inode.version() == version;
        if (inode == null
                || !current
                || !inode.unsealed()
                || state.honeycombs().errandQueues().isSealWanted(inode)) {
            return;
        }
        if (changed.contains(number) && !inode.dirty()) {
            state.leftFiles().suspect(inode);
        } else {
            boolean moved = inode.moving();
            state.mutator().apply(new Mutation.ConfirmSeal(number));
            if (moved) {
                state.replication().promotion().lookAgain();
            }
            state.replication().upkeep().sealed(inode);
        }
    }
}
