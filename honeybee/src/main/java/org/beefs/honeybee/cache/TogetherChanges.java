package org.beefs.honeybee.cache;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Decision;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetAttributes;

/** Puts changes of one inode's attributes that were decided one after the other into one request. Stateless. */
final class TogetherChanges {
    private TogetherChanges() {}

    /** Whether both are of one caller and one inode, and through one handle if any. */
    static boolean areAlike(QueenRequest earlier, QueenRequest later) {
        return isOfOne(earlier.getSetAttributes(), later.getSetAttributes())
                && withoutChange(earlier).equals(withoutChange(later));
    }

    private static boolean isOfOne(SetAttributes earlier, SetAttributes later) {
        boolean oneHandle =
                earlier.getHandle() == 0 || later.getHandle() == 0 || earlier.getHandle() == later.getHandle();
        return earlier.getInode() == later.getInode() && oneHandle;
    }

    private static QueenRequest withoutChange(QueenRequest request) {
        return request.toBuilder().clearSetAttributes().clearDecision().build();
    }

    /** @param outcome of both */
    static QueenRequest of(QueenRequest earlier, QueenRequest later, Attributes outcome) {
        QueenRequest.Builder request =
                later.toBuilder().setSetAttributes(of(earlier.getSetAttributes(), later.getSetAttributes(), outcome));
        Decision first = earlier.getDecision();
        Decision.Builder both = request.getDecisionBuilder()
                .setOpens(first.getOpens() || later.getDecision().getOpens())
                .clearFormerCtime();
        if (first.hasFormerCtime()) {
            both.setFormerCtime(first.getFormerCtime());
        }
        return request.build();
    }

    /**
     * Names the outcome: what a new owner takes from a mode depends on which was set first, and now was another moment
     * for each.
     */
    private static SetAttributes of(SetAttributes earlier, SetAttributes later, Attributes outcome) {
        SetAttributes.Builder set = earlier.toBuilder().mergeFrom(later).clearClearPrivileges();
        if (set.hasMode() || set.hasUid() || set.hasGid()) {
            set.setMode(outcome.getMode() & FileMode.PERMISSIONS);
        }
        if (set.hasAtime() || set.getAtimeNow()) {
            set.setAtime(outcome.getAtime()).clearAtimeNow();
        }
        if (set.hasMtime() || set.getMtimeNow()) {
            set.setMtime(outcome.getMtime()).clearMtimeNow();
        }
        return set.build();
    }
}
