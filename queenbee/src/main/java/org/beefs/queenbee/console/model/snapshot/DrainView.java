package org.beefs.queenbee.console.model.snapshot;

import java.util.List;
import java.util.Objects;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.DrainReport;
import org.beefs.common.wire.Presence;
import org.jspecify.annotations.Nullable;

/**
 * What has yet to leave a desktop that is being emptied, as of a short while ago. Its JSON is an interface, of the
 * console and of {@code beefs status}: fields are added, never renamed. What a queen-bee of an earlier version does not
 * say is empty.
 *
 * @param counted whether that was counted since it is being emptied; until then the numbers say nothing
 * @param replicas that are still there
 * @param bytes of these
 * @param inUse those that wait because somebody uses the file
 * @param stuck those for which no desktop that is awake has room
 * @param examples paths of some that wait
 * @param pendingDrops replicas that have left, and whose files are still to be removed
 * @param pendingRecords desktops that have yet to hear of records that they are to keep in its place
 * @param done whether nothing is there any more that somebody could miss
 * @param givenUp whether what is left is lost with the desktop, as somebody has said that it does not come back
 */
public record DrainView(
        boolean counted,
        long replicas,
        long bytes,
        long inUse,
        long stuck,
        List<String> examples,
        long pendingDrops,
        long pendingRecords,
        boolean done,
        boolean givenUp) {
    public DrainView {
        examples = Objects.requireNonNullElse(examples, List.of());
    }

    /** As the queen-bee tells it; null for a desktop that is not being emptied. */
    public static @Nullable DrainView of(DesktopReport desktop) {
        if (!desktop.hasDrain()) {
            return null;
        }
        DrainReport drain = desktop.getDrain();
        boolean hasLeft = drain.getCounted() && drain.getReplicas() == 0;
        return new DrainView(
                drain.getCounted(),
                drain.getReplicas(),
                drain.getBytes(),
                drain.getInUse(),
                drain.getStuck(),
                List.copyOf(drain.getExamplesList()),
                drain.getPendingDrops(),
                drain.getPendingRecords(),
                hasLeft && drain.getPendingDrops() == 0 && drain.getPendingRecords() == 0,
                drain.getReplicas() > 0 && desktop.getPresence() == Presence.LOST && !desktop.getMissed());
    }

    /** Whether only the desktop itself can end that: it has replicas, or files of those that have left. */
    public boolean needsDesktop() {
        return counted && (replicas > 0 || pendingDrops > 0);
    }
}
