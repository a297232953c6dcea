package org.beefs.simulator;

import com.google.protobuf.ByteString;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.FileMode;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.Survey;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.Sight;
import org.jspecify.annotations.Nullable;

/** Looks at a hive whose power has failed and come back. */
final class AfterPowerLoss {
    /** Lets the world go on until something is so. */
    interface Waiting {
        void until(BooleanSupplier condition, String otherwise);
    }

    private final Hive hive;
    private final PowerLoss loss;
    private final History history;
    private final Waiting waiting;
    private final Marks marks;

    AfterPowerLoss(Hive hive, PowerLoss loss, History history, Waiting waiting, Marks marks) {
        this.hive = hive;
        this.loss = loss;
        this.history = history;
        this.waiting = waiting;
        this.marks = marks;
    }

    /** All daemons are new: nothing is open, and nobody knows what was answered at last. */
    void checkFormerNames() {
        Map<String, Sight> sights = look();
        check(loss.isPossible(sights), "the namespace is " + sights);
    }

    void checkLastNames() {
        Map<String, Sight> sights = look();
        check(loss.isLast(sights), "the namespace is " + sights);
    }

    /**
     * The changes of some are lost and those of others are not, so the namespace may be one that never was; but nobody
     * has removed what had a name since the last sync.
     */
    void checkNothingIsLost() {
        Map<String, Sight> sights = look();
        Set<Long> missing = loss.named();
        sights.values().forEach(sight -> missing.remove(sight.inode()));
        check(missing.isEmpty(), "%s have no name; the namespace is %s".formatted(missing, sights));
    }

    private void check(boolean isRight, String found) {
        if (!isRight) {
            history.fail(Invariant.ACKNOWLEDGED_SURVIVES, "%s\n         %s".formatted(found, loss.expectation()));
        }
    }

    /** No operations follow: whoever closes a file gives up his locks on it. */
    void checkContents() {
        look().forEach(this::checkContent);
    }

    private Map<String, Sight> look() {
        Survey survey = new Survey(fileSystem());
        waiting.until(survey::isDone, "the hive cannot be looked at");
        return survey.sights();
    }

    private FileSystem fileSystem() {
        return hive.desktops().getLast().fileSystem();
    }

    private void checkContent(String path, Sight sight) {
        if (!FileMode.isRegular(sight.mode())) {
            return;
        }
        check(path, sight.inode(), "synced", loss.synced(sight.inode()), Marks.Consequence.SYNCED_AND_READ);
        check(path, sight.inode(), "kept", loss.kept(sight.inode()), Marks.Consequence.KEPT_AND_READ);
    }

    private void check(String path, long inode, String was, @Nullable ByteString mustBe, Marks.Consequence mark) {
        if (mustBe == null) {
            return;
        }
        CompletableFuture<ByteString> content = Survey.content(fileSystem(), inode);
        waiting.until(content::isDone, "a file cannot be read");
        if (content.isCompletedExceptionally()) {
            history.fail(
                    Invariant.SYNCED_SURVIVES,
                    "%s was %s and cannot be read: %s".formatted(path, was, content.exceptionNow()));
        } else if (!content.resultNow().equals(mustBe)) {
            history.fail(
                    Invariant.SYNCED_SURVIVES,
                    "%s was %s with %d bytes, and has %d others"
                            .formatted(
                                    path,
                                    was,
                                    mustBe.size(),
                                    content.resultNow().size()));
        } else {
            marks.add(mark);
        }
    }

    /** Ends the desktops. */
    void checkAtRest() {
        Map<String, Sight> sights = look();
        hive.askReport();
        waiting.until(hive::hasReport, "the queen-bee does not report");
        hive.unrest().forEach(unrest -> history.fail(Invariant.AT_REST, unrest));
        TreeSet<Long> inodes = new TreeSet<>();
        sights.values().forEach(sight -> inodes.add(sight.inode()));
        if (hive.report().getInodes() != inodes.size()) {
            history.fail(
                    Invariant.AT_REST,
                    "the queen-bee counts %d inodes, but only %d have a name"
                            .formatted(hive.report().getInodes(), inodes.size()));
        }
        hive.desktops().stream()
                .flatMap(desktop -> desktop.replicas().keySet().stream())
                .filter(inode -> !inodes.contains(inode))
                // What the queen-bee has lost with her power is kept.
                .filter(hive.queenBee()::hasIssued)
                .forEach(inode -> history.fail(
                        Invariant.AT_REST, "a replica of inode %d is left, which is gone".formatted(inode)));
    }
}
