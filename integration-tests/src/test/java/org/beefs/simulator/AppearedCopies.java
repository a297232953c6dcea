package org.beefs.simulator;

import com.google.protobuf.ByteString;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.simulator.AfterPowerLoss.Waiting;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.Survey;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.model.Appeared;
import org.beefs.simulator.model.Invariant;

/**
 * Conflict copies, of which the model hears only here: a desktop that was away for longer than a lease has brought back
 * what had moved on meanwhile. Until then lists may show them or not.
 */
final class AppearedCopies {
    private final Hive hive;
    private final History history;
    private final boolean mayAppear;
    private final Waiting waiting;

    /** @param mayAppear whether desktops are away for so long */
    AppearedCopies(Hive hive, History history, boolean mayAppear, Waiting waiting) {
        this.hive = hive;
        this.history = history;
        this.mayAppear = mayAppear;
        this.waiting = waiting;
    }

    /** From now on they are files as others are. Nothing is under way. */
    void learn() {
        for (Appeared one : hive.queenBee().appeared()) {
            if (!history.state().names(one.directory()).contains(one.name())) {
                learn(one);
            }
        }
    }

    private void learn(Appeared one) {
        history.note("%s has appeared".formatted(one));
        if (!mayAppear) {
            history.fail(Invariant.POSIX, one.name().toStringUtf8() + " has come out of nowhere");
        }
        ByteString content =
                FileMode.isRegular(one.sight().mode()) ? read(one.sight().inode()) : ByteString.EMPTY;
        history.happen(state -> state.appear(one, content));
    }

    private ByteString read(long inode) {
        CompletableFuture<ByteString> content =
                Survey.content(hive.desktops().getLast().fileSystem(), inode);
        waiting.until(content::isDone, "a conflict copy cannot be read");
        return content.join();
    }
}
