package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.state.InodeRecord;

/**
 * Gives files up that lie on a desktop which is away: their newest copies elsewhere become the primary replicas of the
 * next epoch. Done on the disks, while nothing runs that uses them.
 */
final class MoveOn {
    private final StateStore state;
    private final Map<Integer, SimDesktop> desktops = new HashMap<>();

    /** @param state the queen-bee's */
    MoveOn(StateStore state, Iterable<SimDesktop> all) throws IOException {
        this.state = state;
        state.load((key, value) -> {
            if (key.kind() == StateKey.Kind.HONEYCOMB) {
                String name = HoneycombRecord.parseFrom(value).getDesktop();
                all.forEach(desktop -> {
                    if (desktop.host().name().equals(name)) {
                        desktops.put((int) key.a(), desktop);
                    }
                });
            }
        });
    }

    /** Moves all that can be moved; answers the content that each file has now, by inode number. */
    Map<Long, ByteString> from(SimDesktop lost) throws IOException {
        Map<Long, ByteString> moved = new TreeMap<>();
        StateBatch batch = new StateBatch();
        state.load((key, value) -> {
            if (key.kind() == StateKey.Kind.INODE) {
                InodeRecord inode = InodeRecord.parseFrom(value);
                if (desktops.get(inode.getHoneycomb()) == lost && isCopied(inode)) {
                    InodeRecord next = moved(inode);
                    batch.put(key, () -> next);
                    moved.put(key.a(), promote(key.a(), next));
                }
            }
        });
        state.write(batch);
        state.sync();
        return moved;
    }

    /** Whether its first secondary is the newest version. */
    private static boolean isCopied(InodeRecord inode) {
        return inode.getVersion() != 0 && inode.getSecondariesCount() >= 2 && inode.getSecondaries(1) == 0;
    }

    private static InodeRecord moved(InodeRecord inode) {
        return inode.toBuilder()
                .setHoneycomb((int) inode.getSecondaries(0))
                .setEpoch(inode.getEpoch() + 1)
                .clearSecondaries()
                .clearDirty()
                .clearUnsealed()
                .build();
    }

    private ByteString promote(long number, InodeRecord inode) {
        SimDesktop desktop = desktops.get(inode.getHoneycomb());
        if (desktop == null) {
            throw new IllegalStateException("inode " + number + " has a secondary on no desktop");
        }
        MemoryDisk disk = desktop.disk().orElseThrow();
        ReplicaFiles folder = disk.mount();
        ReplicaFile file = folder.open(new ReplicaId(number, inode.getGeneration()));
        if (file == null) {
            throw new IllegalStateException("a secondary of inode " + number + " counts as current, and is not there");
        }
        file.describe(ReplicaDescription.newBuilder()
                .setInode(number)
                .setGeneration(inode.getGeneration())
                .setEpoch(inode.getEpoch())
                .setVersion(inode.getVersion())
                .setKind(ReplicaKind.REPLICA_KIND_PRIMARY)
                .build());
        file.sync(false);
        return Replicas.content(file);
    }
}
