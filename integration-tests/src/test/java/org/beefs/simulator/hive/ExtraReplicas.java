package org.beefs.simulator.hive;

import java.util.ArrayList;
import java.util.List;
import org.beefs.queenbee.operations.QueenState;

/**
 * Replicas beyond those that files should have, where they were read whole.
 *
 * @param count how many there are
 * @param outdated those that do not have the newest version, for people: a file that changes loses them at once
 */
public record ExtraReplicas(int count, List<String> outdated) {
    static ExtraReplicas of(QueenState state) {
        int[] count = {0};
        List<String> outdated = new ArrayList<>();
        state.namespace()
                .forEach(inode -> inode.secondaries().extra().forEach(honeycomb -> {
                    count[0]++;
                    if (!inode.secondaries().isCurrent(honeycomb)) {
                        outdated.add("%s keeps an extra replica of inode %d that is not current"
                                .formatted(
                                        state.honeycombs().numbered(honeycomb).desktop(), inode.number()));
                    }
                }));
        return new ExtraReplicas(count[0], outdated);
    }
}
