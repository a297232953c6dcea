package org.beefs.cli.fsck;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.common.wire.Finding;

/**
 * What a check has found: the first ones as they are, and how many others there are, because all those of a hive that
 * is badly damaged do not fit into the memory of a tool. For one thread.
 */
final class Findings {
    static final int MOST_LISTED = 10_000;

    private final List<FsckReport.Finding> listed = new ArrayList<>();
    private final Map<String, Map<String, Long>> unlisted = new TreeMap<>();

    void add(Finding found) {
        FsckReport.Finding finding = FsckReport.Finding.of(found);
        if (listed.size() < MOST_LISTED) {
            listed.add(finding);
        } else {
            unlisted.computeIfAbsent(finding.kind(), _ -> new TreeMap<>()).merge(finding.remedy(), 1L, Long::sum);
        }
    }

    List<FsckReport.Finding> listed() {
        return List.copyOf(listed);
    }

    List<FsckReport.Unlisted> unlisted() {
        List<FsckReport.Unlisted> all = new ArrayList<>();
        unlisted.forEach((kind, remedies) ->
                remedies.forEach((remedy, number) -> all.add(new FsckReport.Unlisted(kind, remedy, number))));
        return all;
    }
}
