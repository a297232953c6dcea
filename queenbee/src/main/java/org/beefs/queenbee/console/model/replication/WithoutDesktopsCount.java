package org.beefs.queenbee.console.model.replication;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.console.model.file.FileViews;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.NaturalOrder;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;

/** Counts which files depend on some desktops. Used by one thread at a time. */
public final class WithoutDesktopsCount {
    /** Files that are named. */
    static final int MOST_NAMED = 100;

    private final Set<String> off;
    private final List<WithoutDesktops.Example> examples = new ArrayList<>();
    private long files;
    private long unreachable;
    private long bytes;
    private long already;

    public WithoutDesktopsCount(Set<String> off) {
        this.off = off;
    }

    /** Takes a part's inodes. */
    public Consumer<Inode> visitor(QueenState state) {
        FileViews views = new FileViews(state);
        BitSet now = new BitSet();
        BitSet then = new BitSet();
        for (Honeycomb honeycomb : state.honeycombs().all()) {
            now.set(honeycomb.number(), honeycomb.isConnected());
            then.set(honeycomb.number(), honeycomb.isConnected() && !off.contains(honeycomb.desktop()));
        }
        return inode -> {
            if (inode.isRegular() && inode.honeycomb() != 0 && (inode.version() != 0 || inode.dirty())) {
                files++;
                if (!isHeld(inode, now)) {
                    already++;
                } else if (!isHeld(inode, then)) {
                    add(state, inode, views);
                }
            }
        };
    }

    public WithoutDesktops result() {
        return new WithoutDesktops(
                off.stream().sorted(NaturalOrder.INSTANCE).toList(),
                files,
                unreachable,
                bytes,
                already,
                List.copyOf(examples));
    }

    private void add(QueenState state, Inode inode, FileViews views) {
        unreachable++;
        bytes = ByteSize.sum(bytes, inode.size());
        if (examples.size() < MOST_NAMED) {
            examples.add(new WithoutDesktops.Example(
                    views.path(inode), inode.number(), inode.size(), desktops(state, inode)));
        }
    }

    /** Whether one of these honeycombs has the newest content. Asked twice of each of all files. */
    private static boolean isHeld(Inode inode, BitSet honeycombs) {
        return honeycombs.get(inode.honeycomb())
                || (!inode.dirty() && inode.secondaries().isAnyCurrent(honeycombs));
    }

    private static List<String> desktops(QueenState state, Inode inode) {
        return inode.currentReplicas()
                .mapToObj(number -> state.honeycombs().numbered(number).desktop())
                .toList();
    }
}
