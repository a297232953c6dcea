package org.beefs.queenbee.console.model.file;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.question.Scans;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;

/**
 * Looks files up, a page at a time, searches them, and adds them up. Whoever asks sees all names, whatever their modes
 * say. Thread-safe.
 */
public final class FileBrowser {
    /** Entries of a page. */
    public static final int MOST = 200;

    private static final int MOST_FOUND = 200;

    /** Who looks for a rare name sees what there is until then, and goes on. */
    private static final Duration LONGEST_SEARCH = Duration.ofMillis(100);

    private final Questions questions;
    private final Scans scans;
    private final Clock clock;

    public FileBrowser(Questions questions, Scans scans, Clock clock) {
        this.questions = questions;
        this.scans = scans;
        this.clock = clock;
    }

    /** What is at a path from the root of the hive; symbolic links are not followed. */
    public FileView at(String path) {
        return questions.ask(state -> new FileViews(state).of(resolve(state, path)));
    }

    public FileView of(long inode) {
        return questions.ask(state -> new FileViews(state).of(find(state, inode)));
    }

    /** The directories above it, the root first. */
    public List<Above> above(long inode) {
        return questions.ask(state -> new FileViews(state).above(find(state, inode)));
    }

    /**
     * Entries of a directory, in the order in which they were made.
     *
     * @param after {@code next} of the page before; 0 for the first
     * @param limit at most {@link #MOST}
     */
    public FilePage list(long directory, long after, int limit) {
        return questions.ask(state -> list(state, find(state, directory), after, limit));
    }

    /**
     * Files by name, see {@link Search}: some of them, maybe none, as far as a short look has come.
     *
     * @param under path of the directory that they are in, at whatever depth
     * @param from {@code next} of the page before; 0 for the first
     */
    public FilePage find(String pattern, String under, int from) {
        FileView directory = at(under);
        if (!directory.isDirectory()) {
            throw new PosixException(Errno.ENOTDIR, under + " is no directory");
        }
        Search search = new Search(pattern, directory.inode());
        long end = clock.bootNanos() + LONGEST_SEARCH.toNanos();
        int next = scans.run(
                from, Search.PART, search::visitor, () -> search.size() >= MOST_FOUND || clock.bootNanos() - end >= 0);
        return new FilePage(search.found(), next == 0 ? null : (long) next);
    }

    /** What a tree takes, or a file. */
    public Usage usage(FileView top) {
        UsageWalk walk = new UsageWalk(top);
        scans.run(walk::step);
        return walk.result();
    }

    private static FilePage list(QueenState state, Inode directory, long after, int limit) {
        if (!directory.isDirectory()) {
            throw new PosixException(Errno.ENOTDIR, "that is no directory");
        }
        List<Dentry> entries = new ArrayList<>();
        int most = Math.clamp(limit, 1, MOST);
        directory.directory().visit(after, entry -> {
            entries.add(entry);
            return entries.size() <= most;
        });
        boolean more = entries.size() > most;
        List<Dentry> shown = entries.subList(0, Math.min(most, entries.size()));
        FileViews views = new FileViews(state);
        String path = views.path(directory);
        return new FilePage(
                shown.stream().map(entry -> views.of(entry, path)).toList(),
                more ? shown.getLast().cookie() : null);
    }

    private static Inode find(QueenState state, long number) {
        Inode inode = state.namespace().find(number);
        if (inode == null) {
            throw new PosixException(Errno.ENOENT, "there is no inode " + number + " any more");
        }
        return inode;
    }

    private static Inode resolve(QueenState state, String path) {
        Inode at = find(state, Namespace.ROOT);
        for (String name : path.split("/", -1)) {
            if (!name.isEmpty()) {
                at = child(at, name, path);
            }
        }
        return at;
    }

    private static Inode child(Inode directory, String name, String path) {
        Dentry entry = directory.isDirectory() ? directory.directory().find(ByteString.copyFromUtf8(name)) : null;
        if (entry == null) {
            throw new PosixException(Errno.ENOENT, "there is no " + path + " in the hive");
        }
        return entry.inode();
    }
}
