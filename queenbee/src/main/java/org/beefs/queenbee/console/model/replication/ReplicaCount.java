package org.beefs.queenbee.console.model.replication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.console.model.file.FileViews;
import org.beefs.queenbee.console.model.snapshot.DesktopView.Replicas;
import org.beefs.queenbee.console.model.snapshot.LackingFile;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.replication.Upkeep;
import org.beefs.queenbee.replication.placement.ReplicaLevels;

/** Counts each desktop's replicas, and names files that lack some. Used by one thread at a time. */
final class ReplicaCount {
    /** Files that are named. */
    static final int MOST_NAMED = 100;

    private final Map<String, Replicas> byDesktop = new HashMap<>();
    private final List<LackingFile> lacking = new ArrayList<>();

    /** Takes a part's inodes. */
    Consumer<Inode> visitor(QueenState state) {
        Upkeep upkeep = state.replication().upkeep();
        ReplicaLevels levels = state.replication().sets().levels();
        FileViews views = new FileViews(state);
        return inode -> {
            if (inode.isRegular() && inode.honeycomb() != 0 && (inode.version() != 0 || inode.dirty())) {
                addPrimary(state, inode);
                inode.secondaries().honeycombs().forEach(number -> addSecondary(state, inode, number));
                addLacking(inode, upkeep, levels, views);
            }
        };
    }

    Map<String, Replicas> byDesktop() {
        return Map.copyOf(byDesktop);
    }

    List<LackingFile> lacking() {
        return List.copyOf(lacking);
    }

    private void addPrimary(QueenState state, Inode inode) {
        add(state.honeycombs().of(inode), new Replicas(1, 0, 0, 0, inode.size()));
    }

    private void addSecondary(QueenState state, Inode inode, int number) {
        boolean empty = inode.versionIn(number) == 0;
        boolean current = !inode.dirty() && inode.secondaries().isCurrent(number);
        add(
                state.honeycombs().numbered(number),
                new Replicas(0, current ? 1 : 0, current || empty ? 0 : 1, empty ? 1 : 0, empty ? 0 : inode.size()));
    }

    private void add(Honeycomb honeycomb, Replicas more) {
        byDesktop.merge(
                honeycomb.desktop(),
                more,
                (a, b) -> new Replicas(
                        a.primaries() + b.primaries(),
                        a.secondaries() + b.secondaries(),
                        a.stale() + b.stale(),
                        a.expected() + b.expected(),
                        ByteSize.sum(a.bytes(), b.bytes())));
    }

    private void addLacking(Inode inode, Upkeep upkeep, ReplicaLevels levels, FileViews views) {
        if (lacking.size() < MOST_NAMED && upkeep.isUnder(inode, levels)) {
            lacking.add(new LackingFile(
                    views.path(inode),
                    inode.number(),
                    inode.size(),
                    levels.current(inode),
                    levels.wanted(inode),
                    inode.dirty()));
        }
    }
}
