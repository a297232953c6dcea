package org.beefs.cli.warmup;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.beefs.cli.file.HiveTree;
import org.beefs.cli.process.InterruptibleWait;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.common.time.Clock;

/**
 * Brings files to the desktop in whose mount they are named: asks the hive for each that is not there, for some at a
 * time, and looks until they have come. For one thread.
 */
final class Warmup {
    /** Files that were asked for and have not come. */
    private static final int MOST_ASKED = 256;

    /** The hive gives up in ten minutes what nobody asks for again. */
    private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

    /**
     * Nothing has to come for so long, and as much longer as the largest file takes at {@link #SLOWEST}, before it is
     * given up.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Bytes a second. */
    private static final long SLOWEST = 1 << 20;

    private static final Duration LOOK = Duration.ofMillis(200);

    private final Clock clock;
    private final WarmupCounts counts = new WarmupCounts();
    private final Deque<Asked> asked = new ArrayDeque<>();

    private final Standstill standstill;

    /** @param at when it was asked for last; by the boot clock */
    private record Asked(LocalCopy copy, long at) {}

    Warmup(Clock clock) {
        this.clock = clock;
        this.standstill = new Standstill(clock);
    }

    /**
     * What has become of all files at and below the paths. Fails as a command does when its thread is interrupted.
     *
     * @param progress where a bar is shown
     * @param terminal as {@link ProgressBar} has it
     */
    WarmupReport run(List<Path> paths, PrintWriter progress, boolean terminal) {
        List<HiveTree> trees = paths.stream().map(HiveTree::at).toList();
        trees.forEach(tree -> eachFile(tree, counts::expect, (_, _) -> {}));
        ProgressBar bar = ProgressBar.ofBytes("warmup", counts.bytes(), progress, terminal, clock);
        try {
            bring(trees, bar);
        } finally {
            bar.end();
        }
        return counts.report();
    }

    private void bring(List<HiveTree> trees, ProgressBar bar) {
        standstill.end();
        trees.forEach(tree -> eachFile(tree, copy -> bring(copy, bar), counts::missing));
        while (!asked.isEmpty()) {
            look(bar);
        }
    }

    private static void eachFile(HiveTree tree, Consumer<LocalCopy> action, BiConsumer<Path, String> unseen) {
        tree.walk(new HiveTree.Visitor() {
            @Override
            public void file(Path path, BasicFileAttributes attributes) {
                InterruptibleWait.requireUninterrupted();
                action.accept(new LocalCopy(path, attributes.size()));
            }

            @Override
            public void unseen(Path path, String reason) {
                unseen.accept(path, reason);
            }
        });
    }

    private void bring(LocalCopy copy, ProgressBar bar) {
        while (asked.size() >= MOST_ASKED) {
            look(bar);
        }
        try {
            if (copy.isHere()) {
                counts.present();
                bar.skip(copy.bytes());
            } else {
                ask(copy);
                standstill.end();
            }
        } catch (CommandFailure e) {
            fail(copy, Reasons.of(e), bar);
        }
    }

    private void ask(LocalCopy copy) {
        copy.ask();
        asked.add(new Asked(copy, clock.bootNanos()));
    }

    /** Takes from what was asked for what has come, or cannot come; waits a little when nothing has. */
    private void look(ProgressBar bar) {
        int before = asked.size();
        List<Asked> all = List.copyOf(asked);
        asked.clear();
        all.forEach(one -> look(one, bar));
        if (asked.size() < before) {
            standstill.end();
        } else if (standstill.exceeds(patience())) {
            all.forEach(one ->
                    fail(one.copy(), one.copy().path() + " does not come: is a desktop awake that has it?", bar));
            asked.clear();
        } else {
            standstill.pause(() -> InterruptibleWait.pause(LOOK));
        }
    }

    private void look(Asked one, ProgressBar bar) {
        try {
            if (one.copy().isHere()) {
                counts.brought(one.copy().bytes());
                bar.advance(one.copy().bytes());
            } else if (clock.bootNanos() - one.at() > ASK_AGAIN.toNanos()) {
                ask(one.copy());
            } else {
                asked.add(one);
            }
        } catch (CommandFailure e) {
            fail(one.copy(), Reasons.of(e), bar);
        }
    }

    private void fail(LocalCopy copy, String reason, ProgressBar bar) {
        counts.missing(copy.path(), reason);
        bar.skip(copy.bytes());
    }

    private Duration patience() {
        long largest = asked.stream().mapToLong(one -> one.copy().bytes()).max().orElse(0);
        return PATIENCE.plusSeconds(largest / SLOWEST);
    }
}
