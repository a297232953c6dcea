package org.beefs.queenbee.check;

import java.util.List;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;

/** Whether names, directories and link counts fit together. Belongs to the namespace thread. */
final class TreeCheck {
    /** Entries that are looked at for one request: less than a millisecond. */
    static final int MOST_ENTRIES = 4096;

    private static final String RESTART =
            "her memory is wrong, not her disk: restart the queen-bee, and report it if it stays";

    private final Namespace namespace;
    private final Mutator mutator;
    private final Rescue rescue;

    TreeCheck(Namespace namespace, Mutator mutator, Rescue rescue) {
        this.namespace = namespace;
        this.mutator = mutator;
        this.rescue = rescue;
    }

    /**
     * How far a directory's entries have been looked at.
     *
     * @param after place of the last one; 0 before the first, and when there are no more
     * @param stamp the directory's last change when its sub-directories began to be counted
     */
    record Position(long after, long stamp, int subdirectories) {
        static Position start(Inode directory) {
            return new Position(0, directory.changed(), 0);
        }
    }

    /**
     * The names of an inode, its count of them, and whether it can be reached.
     *
     * @param ways for all that is looked at for the same request
     */
    void check(Inode inode, long now, WaysUp ways, Findings findings) {
        List<Link> links = namespace.links(inode);
        links.forEach(link -> checkName(inode, link, findings));
        if (links.isEmpty() && inode.links() > 0 && inode.number() != Namespace.ROOT) {
            findings.add(
                    Damage.NAMELESS,
                    inode,
                    "",
                    "%s %d has no name in any directory; it gets one in /lost+found"
                            .formatted(inode.isDirectory() ? "Directory" : "File", inode.number()),
                    () -> rescue.name(inode, now));
        } else if (inode.isDirectory()) {
            checkPlace(inode, links, now, ways, findings);
        } else if (links.size() != inode.links()) {
            wrongCount(inode, links.size(), findings);
        }
    }

    /**
     * Looks at some entries of a directory, and at its link count when these were the last.
     *
     * @param names for all that is looked at for the same request
     * @return where to go on
     */
    Position entries(Inode directory, Position from, KnownNames names, Findings findings) {
        Progress progress = new Progress(directory, from, names, findings);
        directory.directory().visit(from.after, progress::visit);
        if (progress.visited <= MOST_ENTRIES) {
            // A directory that changes between the parts cannot be counted; whoever checks it again may be luckier.
            if (from.stamp == directory.changed() && directory.links() != 2 + progress.subdirectories) {
                wrongCount(directory, 2 + progress.subdirectories, findings);
            }
            return new Position(0, from.stamp, progress.subdirectories);
        }
        return new Position(progress.last, from.stamp, progress.subdirectories);
    }

    private final class Progress {
        private final Inode directory;
        private final KnownNames names;
        private final Findings findings;
        private int subdirectories;
        private int visited;
        private long last;

        Progress(Inode directory, Position from, KnownNames names, Findings findings) {
            this.directory = directory;
            this.names = names;
            this.findings = findings;
            subdirectories = from.subdirectories;
            last = from.after;
        }

        boolean visit(Dentry entry) {
            visited++;
            if (visited > MOST_ENTRIES) {
                return false;
            }
            last = entry.cookie();
            subdirectories += entry.inode().isDirectory() ? 1 : 0;
            checkEntry(directory, entry, names, findings);
            return true;
        }
    }

    private void checkEntry(Inode directory, Dentry entry, KnownNames names, Findings findings) {
        Inode inode = entry.inode();
        boolean exists = namespace.find(inode.number()) == inode;
        boolean known = names.has(inode, entry);
        boolean found = directory.directory().find(entry.name()) == entry;
        if (!exists || !known || !found) {
            findings.add(
                    Damage.ENTRY,
                    directory,
                    "",
                    "Its entry %s names inode %d, which %s; %s"
                            .formatted(
                                    entry.name().toStringUtf8(),
                                    inode.number(),
                                    exists ? "knows nothing of it" : "does not exist",
                                    RESTART));
        }
    }

    private void checkName(Inode inode, Link link, Findings findings) {
        Inode parent = link.parent();
        boolean fits = namespace.find(parent.number()) == parent
                && parent.directory().find(link.entry().name()) == link.entry()
                && link.entry().inode() == inode;
        if (!fits) {
            findings.add(
                    Damage.ENTRY,
                    inode,
                    "",
                    "Its name %s is not in directory %d; %s"
                            .formatted(link.entry().name().toStringUtf8(), parent.number(), RESTART));
        }
    }

    private void checkPlace(Inode directory, List<Link> links, long now, WaysUp ways, Findings findings) {
        if (links.size() > (directory.number() == Namespace.ROOT ? 0 : 1)) {
            findings.add(
                    Damage.NAMES,
                    directory,
                    "",
                    "Directory %d is in %d directories, which no directory may be; move one of its names away by hand"
                            .formatted(directory.number(), links.size()));
        } else if (links.size() == 1 && ways.isInside(directory)) {
            findings.add(
                    Damage.LOOP,
                    directory,
                    "",
                    "Directory %d is inside itself, so that no path leads there; it is moved to /lost+found"
                            .formatted(directory.number()),
                    () -> rescue.move(directory, links.getFirst(), now));
        }
    }

    private void wrongCount(Inode inode, int counted, Findings findings) {
        findings.add(
                Damage.LINK_COUNT,
                inode,
                "",
                "Inode %d says that it has %d links, and has %d".formatted(inode.number(), inode.links(), counted),
                () -> mutator.changeAtOnce(null, new Mutation.CorrectLinks(inode.number(), counted)));
    }
}
