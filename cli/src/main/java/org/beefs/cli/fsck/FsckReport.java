package org.beefs.cli.fsck;

import java.util.List;
import org.beefs.cli.terminal.Visible;
import org.beefs.cli.view.Report;
import org.beefs.common.config.Count;
import org.beefs.common.wire.Remedy;

/**
 * What a check has found. Its JSON is an interface: fields are added, never renamed.
 *
 * @param inodes that were checked
 * @param replicas that were looked at
 * @param repair whether it was to repair
 * @param findings in the order in which they were found, the first {@link Findings#MOST_LISTED}
 * @param unchecked honeycombs whose replicas were not, or not all, looked at, and why
 * @param busy replicas that changed whenever they were looked at, so that nothing is said of them
 * @param complete whether it went to its end; it does not when the queen-bee ceases to answer
 * @param unlisted how many more were found
 */
record FsckReport(
        long inodes,
        long replicas,
        boolean repair,
        List<Finding> findings,
        List<String> unchecked,
        long busy,
        boolean complete,
        List<Unlisted> unlisted)
        implements Report {
    /**
     * Something that is not as it should be.
     *
     * @param kind a word that stays as it is
     * @param inode 0 when there is no such inode
     * @param path from the root of the hive; empty when it has none
     * @param desktop whose honeycomb it concerns; empty when it concerns none
     * @param sentence for people
     * @param remedy repaired; repairable; or left, when only a person can decide
     */
    record Finding(String kind, long inode, String path, String desktop, String sentence, String remedy) {
        static Finding of(org.beefs.common.wire.Finding found) {
            return new Finding(
                    found.getKind(),
                    found.getInode(),
                    found.getPath().toStringUtf8(),
                    found.getDesktop(),
                    found.getSentence(),
                    word(found.getRemedy()));
        }

        private static String word(Remedy remedy) {
            return switch (remedy) {
                case REMEDY_DONE -> REPAIRED;
                case REMEDY_POSSIBLE -> REPAIRABLE;
                case REMEDY_NONE, UNRECOGNIZED -> LEFT;
            };
        }

        private String render() {
            String where = desktop.isEmpty() ? "" : " (" + desktop + ")";
            String subject = path.isEmpty() ? "" : Visible.of(path) + ": ";
            return "%s%s%s. [%s]%n".formatted(subject, Visible.of(sentence), where, remedy);
        }
    }

    /** Findings of one kind, and with one remedy, that are not listed. */
    record Unlisted(String kind, String remedy, long number) {
        private String render() {
            return "%d more of the kind %s. [%s]%n".formatted(number, kind, remedy);
        }
    }

    private static final String REPAIRED = "repaired";
    private static final String REPAIRABLE = "repairable";
    private static final String LEFT = "left";

    /** As fsck(8): 1 when something was repaired, plus 4 when something is left. */
    int exitCode() {
        return (count(REPAIRED) > 0 ? 1 : 0) + (count(REPAIRED) < found() ? 4 : 0);
    }

    /** Whether there is anything to tell. Public because JSON shows it, too. */
    public boolean isBegun() {
        return inodes > 0 || !findings.isEmpty();
    }

    @Override
    public String render() {
        StringBuilder text = new StringBuilder();
        findings.forEach(finding -> text.append(finding.render()));
        unlisted.forEach(more -> text.append(more.render()));
        unchecked.forEach(honeycomb -> text.append("Not checked: %s.%n".formatted(Visible.of(honeycomb))));
        if (busy > 0) {
            text.append("Not checked: %s that changed whenever looked at.%n"
                    .formatted(Count.of(busy, "replica", "replicas")));
        }
        text.append("%s and %s checked%s: "
                .formatted(
                        Count.of(inodes, "inode", "inodes"),
                        Count.of(replicas, "replica", "replicas"),
                        complete ? "" : " by then"));
        if (findings.isEmpty()) {
            return text.append("nothing is wrong.%n".formatted()).toString();
        }
        text.append("%d found, %d repaired, %d left.%n".formatted(found(), count(REPAIRED), found() - count(REPAIRED)));
        if (count(REPAIRABLE) > 0) {
            text.append("beefs fsck --repair would repair %d of them.%n".formatted(count(REPAIRABLE)));
        }
        return text.toString();
    }

    private long found() {
        return findings.size() + unlisted.stream().mapToLong(Unlisted::number).sum();
    }

    private long count(String remedy) {
        return findings.stream()
                        .filter(finding -> finding.remedy().equals(remedy))
                        .count()
                + unlisted.stream()
                        .filter(more -> more.remedy().equals(remedy))
                        .mapToLong(Unlisted::number)
                        .sum();
    }
}
