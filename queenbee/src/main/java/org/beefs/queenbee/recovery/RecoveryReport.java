package org.beefs.queenbee.recovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a recovery found.
 *
 * @param incarnation of the hive as it is now; the next start has the next one
 * @param catalogs the honeycombs whose records were collected, by name
 * @param inodes that the hive has now
 * @param removed inodes that some catalog knew to be gone
 * @param unlinked files that had no name any more, and that somebody may have had open
 * @param unnamed files that had no name yet, whose content is kept without one
 * @param elsewhere files whose content is only in honeycombs that the hive does not have, and that it has not now
 * @param elsewhereNames what some of them were called last
 * @param conflicts names that two inodes had, and directories inside themselves, with how that was decided
 * @param rootMade whether nobody who was asked knew the root directory
 * @param lostAndFound paths given in {@code /lost+found}
 * @param absent files that cannot be read before a desktop comes that was not asked
 * @param unasked desktops whose honeycombs were not asked; empty if there are none
 */
public record RecoveryReport(
        long incarnation,
        List<String> catalogs,
        long inodes,
        long removed,
        long unlinked,
        long unnamed,
        long elsewhere,
        String elsewhereNames,
        List<String> conflicts,
        boolean rootMade,
        List<String> lostAndFound,
        Collection<AbsentFiles> absent,
        String unasked) {
    /** For people, a line for each finding. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("collected the records of " + String.join(", ", catalogs));
        lines.add(inodes + " inodes were found");
        lines.add(removed + " removed inodes were not brought back");
        if (unlinked > 0) {
            lines.add(unlinked + " files had no name any more, as programs had them open, and are gone");
        }
        if (unnamed > 0) {
            lines.add(
                    unnamed
                            + " files were made without a name and may have got one since: their content is kept where it is, beefs fsck shows it");
        }
        if (elsewhere > 0) {
            lines.add(
                    "%d files are left out, as their newest content is only on desktops that the hive does not have: %s"
                            .formatted(elsewhere, elsewhereNames));
        }
        lines.addAll(conflicts);
        if (rootMade) {
            lines.add(
                    "no desktop that was asked knows the root directory: it was made anew, for its owner only, until chmod says otherwise");
        }
        lostAndFound.forEach(path -> lines.add("is now at " + path));
        absent.forEach(files -> files.tell(lines));
        if (!unasked.isEmpty()) {
            lines.add("not asked: %s; files that are only there are missing, and kept there".formatted(unasked));
        }
        lines.add(
                "content without a name may be left in honeycombs, of files that were made in the last second before the"
                        + " loss: beefs fsck shows it");
        return lines;
    }
}
