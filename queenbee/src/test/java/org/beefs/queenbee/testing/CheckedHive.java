package org.beefs.queenbee.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.wire.CheckEntries;
import org.beefs.common.wire.CheckInodes;
import org.beefs.common.wire.CheckReplicas;
import org.beefs.common.wire.CheckedEntries;
import org.beefs.common.wire.CheckedInodes;
import org.beefs.common.wire.CheckedReplicas;
import org.beefs.common.wire.Finding;
import org.beefs.common.wire.LookAgain;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaLook;

/** A check as its tool goes about it, on a connection of a desktop. */
public record CheckedHive(TestDesktop tool) {
    /** All findings about inodes and entries. */
    public List<Finding> inodes(boolean repair) {
        List<Finding> findings = new ArrayList<>();
        int from = 0;
        do {
            CheckedInodes part = part(from, repair);
            findings.addAll(part.getFindingsList());
            part.getDirectoriesList().forEach(directory -> findings.addAll(entries(directory, repair)));
            from = part.getNext();
        } while (from != 0);
        return findings;
    }

    public CheckedInodes part(int from, boolean repair) {
        return tool.ok(QueenRequest.newBuilder()
                        .setCheckInodes(CheckInodes.newBuilder().setFrom(from).setRepair(repair)))
                .getCheckedInodes();
    }

    private List<Finding> entries(long directory, boolean repair) {
        List<Finding> findings = new ArrayList<>();
        CheckedEntries position = CheckedEntries.getDefaultInstance();
        do {
            position = tool.ok(QueenRequest.newBuilder()
                            .setCheckEntries(CheckEntries.newBuilder()
                                    .setDirectory(directory)
                                    .setAfter(position.getAfter())
                                    .setStamp(position.getStamp())
                                    .setSubdirectories(position.getSubdirectories())
                                    .setRepair(repair)))
                    .getCheckedEntries();
            findings.addAll(position.getFindingsList());
        } while (position.getAfter() != 0);
        return findings;
    }

    /** What is found by a look that stays the same when it is taken again. */
    public List<Finding> replica(String honeycomb, ReplicaLook look, boolean repair) {
        CheckedReplicas first = judge(honeycomb, look, repair);
        Stream<Finding> again = first.getAgainList().stream()
                .map(LookAgain::getStamp)
                .map(stamp -> judge(honeycomb, look.toBuilder().setStamp(stamp).build(), repair))
                .flatMap(judged -> judged.getFindingsList().stream());
        return Stream.concat(first.getFindingsList().stream(), again).toList();
    }

    /** What the queen-bee says of one look. */
    public CheckedReplicas judge(String honeycomb, ReplicaLook look, boolean repair) {
        return tool.ok(QueenRequest.newBuilder()
                        .setCheckReplicas(CheckReplicas.newBuilder()
                                .setHoneycomb(TestDesktop.uuid(honeycomb))
                                .addLooks(look)
                                .setRepair(repair)))
                .getCheckedReplicas();
    }
}
