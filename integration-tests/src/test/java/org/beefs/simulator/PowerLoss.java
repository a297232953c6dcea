package org.beefs.simulator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.beefs.common.posix.FileMode;
import org.beefs.simulator.client.History;
import org.beefs.simulator.model.ModelState;
import org.beefs.simulator.model.Sight;
import org.jspecify.annotations.Nullable;

/**
 * What must be left after a loss of power: a namespace as it was at some moment, not before the last sync that was
 * answered, and as it was at last if the desktops or the queen-bee have kept their power; and the content of each file
 * that was synced and not changed since, or whose primary replica and writers are where the power has not failed.
 */
final class PowerLoss {
    private final History history;
    /** States since the last answered sync, the first as of that. */
    private final List<ModelState> states = new ArrayList<>();

    /** By inode; of those only that have not been changed since, not even to and fro. */
    private final Map<Long, ByteString> synced = new HashMap<>();

    /** By inode; of those only whose content is where the power has not failed. */
    private final Map<Long, ByteString> kept = new HashMap<>();

    PowerLoss(History history) {
        this.history = history;
        states.add(history.state().copy());
        history.onSync(this::remember);
    }

    private void remember(long inode) {
        states.clear();
        states.add(history.state().copy());
        ByteString content = history.state().content(inode);
        if (content != null) {
            synced.put(inode, content);
        }
    }

    /** The power is about to fail, and certainly not where the content of these files is. */
    void keep(LongPredicate elsewhere) {
        history.state().inodes(FileMode.REGULAR).stream()
                .filter(elsewhere::test)
                .forEach(inode -> kept.put(inode, content(inode)));
    }

    private ByteString content(long inode) {
        ByteString content = history.state().content(inode);
        return content == null ? ByteString.EMPTY : content;
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

    /** The content of a file that has not lost it with the power; null when it may have. */
    @Nullable
    ByteString kept(long inode) {
        return kept.get(inode);
    }

    /** What the content of a file must be that was synced; null when that is open. */
    @Nullable
    ByteString synced(long inode) {
        ByteString content = synced.get(inode);
        return content != null && content.equals(history.state().content(inode)) ? content : null;
    }

    /** For people: the namespace as it was last, and as it was at the last sync. */
    String expectation() {
        return "at last %s\n         at the last sync %s"
                .formatted(states.getLast().sights(), states.getFirst().sights());
    }
}
