package org.beefs.queenbee.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a recovery found.
 *
 * @param catalogs the honeycombs whose records were collected, by name
 * @param inodes that the hive has now
 * @param removed inodes that some catalog knew to be gone
 * @param unlinked files without a name that somebody may have had open
 * @param conflicts names that two inodes had, and directories inside themselves, with how that was decided
 * @param lostAndFound names given in {@code /lost+found}
 * @param absent files whose content is on a desktop that was not asked, by desktop
 */
public record RecoveryReport(
        List<String> catalogs,
        long inodes,
        long removed,
        long unlinked,
        List<String> conflicts,
        List<String> lostAndFound,
        Map<String, Long> absent) {
    /** For people, a line for each finding. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("collected the records of " + String.join(", ", catalogs));
        lines.add(inodes + " inodes were found");
        lines.add(removed + " removed inodes were not brought back");
        if (unlinked > 0) {
            lines.add(unlinked + " files had no name any more and are gone");
        }
        lines.addAll(conflicts);
        lostAndFound.forEach(name -> lines.add("is now in /lost+found: " + name));
        absent.forEach((desktop, files) ->
                lines.add("%d files are on %s, which was not asked: reading them fails until it comes back"
                        .formatted(files, desktop)));
        lines.add("files that are only on desktops which were not asked are missing, and kept there");
        return lines;
    }
}
