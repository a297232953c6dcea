package org.beefs.cli.file;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.beefs.cli.file.TreeReport.Unchanged;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.common.time.Clock;

/**
 * Changes the settings of all files and directories of a tree, a directory before what is in it, so that what is made
 * meanwhile has them too. What goes away meanwhile counts for nothing. For one thread.
 */
final class TreeSettings {
    /** Paths that the report names. */
    private static final int MOST_NAMED = 100;

    private final WantedSettings wanted;
    private final List<Unchanged> named = new ArrayList<>();
    private long changed;
    private long unchanged;

    TreeSettings(WantedSettings wanted) {
        this.wanted = wanted;
    }

    /**
     * What has become of all at and below a path.
     *
     * @param progress where a bar is shown
     * @param terminal as {@link ProgressBar} has it
     */
    TreeReport run(Path path, PrintWriter progress, boolean terminal, Clock clock) {
        HiveTree tree = HiveTree.at(path);
        AtomicLong all = new AtomicLong();
        tree.walk(new EachVisitor(_ -> all.incrementAndGet(), (_, _) -> {}));
        ProgressBar bar = new ProgressBar("set", all.get(), progress, terminal, clock);
        tree.walk(new EachVisitor(
                each -> {
                    change(each);
                    bar.advance();
                },
                this::fail));
        bar.end();
        return new TreeReport(changed, unchanged, List.copyOf(named));
    }

    /** Directories and files are the same to it. */
    private record EachVisitor(Consumer<Path> each, BiConsumer<Path, String> failed) implements HiveTree.Visitor {
        @Override
        public void directory(Path path) {
            each.accept(path);
        }

        @Override
        public void file(Path path, BasicFileAttributes attributes) {
            each.accept(path);
        }

        @Override
        public void unseen(Path path, String reason) {
            failed.accept(path, reason);
        }
    }

    private void change(Path path) {
        try {
            wanted.applyTo(path);
            changed++;
        } catch (CommandFailure e) {
            if (!Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
                fail(path, Reasons.of(e));
            }
        }
    }

    private void fail(Path path, String reason) {
        unchanged++;
        if (named.size() < MOST_NAMED) {
            named.add(new Unchanged(path.toString(), reason));
        }
    }
}
