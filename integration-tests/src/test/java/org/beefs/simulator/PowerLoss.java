package org.beefs.simulator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.simulator.client.History;
import org.beefs.simulator.model.ModelState;
import org.beefs.simulator.model.Sight;
import org.jspecify.annotations.Nullable;

/**
 * What must be left after a loss of power: a namespace as it was at some moment, not before the last sync that was
 * answered, and as it was at last if the desktops or the queen-bee have kept their power; and the content of each file
 * that was synced and not changed since.
 */
final class PowerLoss {
    private final History history;
    /** States since the last answered sync, the first as of that. */
    private final List<ModelState> states = new ArrayList<>();

    /** By inode; of those only that have not been changed since, not even to and fro. */
    private final Map<Long, ByteString> synced = new HashMap<>();

    PowerLoss(History history) {
        this.history = history;
        states.add(history.state().copy());
        history.onSync(this::synced);
    }

    private void synced(long inode) {
        states.clear();
        states.add(history.state().copy());
        ByteString content = history.state().content(inode);
        if (content != null) {
            synced.put(inode, content);
        }
    }

    /** To be called after each operation. */
    void remember() {
        states.add(history.state().copy());
        synced.entrySet()
                .removeIf(file -> !file.getValue().equals(history.state().content(file.getKey())));
    }

    /** Whether the namespace is one that was there. */
    boolean isPossible(Map<String, Sight> sights) {
        return states.stream().anyMatch(state -> state.sights().equals(sights));
    }

    /** Whether the namespace is as it was when the power failed. */
    boolean isLast(Map<String, Sight> sights) {
        return states.getLast().sights().equals(sights);
    }

    /** Inodes that have had a name, this or that, all the time since the last sync. */
    Set<Long> named() {
        Set<Long> named = inodes(states.getFirst());
        states.forEach(state -> named.retainAll(inodes(state)));
        return named;
    }

    private static Set<Long> inodes(ModelState state) {
        Set<Long> inodes = new TreeSet<>();
        state.sights().values().forEach(sight -> inodes.add(sight.inode()));
        return inodes;
    }

    /** What a file's content must be; null when that is open. */
    @Nullable
    ByteString mustBe(long inode) {
        ByteString content = synced.get(inode);
        return content != null && content.equals(history.state().content(inode)) ? content : null;
    }

    /** For people: the namespace as it was last, and as it was at the last sync. */
    String expectation() {
        return "at last %s\n         at the last sync %s"
                .formatted(states.getLast().sights(), states.getFirst().sights());
    }
}
