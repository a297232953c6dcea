package org.beefs.queenbee.check;

import java.util.stream.IntStream;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.CheckedFile;
import org.beefs.common.wire.ReplicaNumber;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * Whether what the queen-bee knows of a file's content makes sense, and where its replicas must be. Belongs to the
 * namespace thread.
 */
final class FileCheck {
    private final LeftFiles leftFiles;
    private final Honeycombs honeycombs;
    private final Mutator mutator;

    FileCheck(LeftFiles leftFiles, Honeycombs honeycombs, Mutator mutator) {
        this.leftFiles = leftFiles;
        this.honeycombs = honeycombs;
        this.mutator = mutator;
    }

    /** A regular file. It may be gone afterwards. */
    void check(Inode inode, Findings findings) {
        if (leftFiles.isForgotten(inode)) {
            findings.add(
                    Damage.ORPHAN,
                    inode,
                    "",
                    "File %d has no name, and nobody has it open: it should have been removed"
                            .formatted(inode.number()),
                    () -> leftFiles.unlinked(inode));
            return;
        }
        if (leftFiles.isLeftDirty(inode)) {
            findings.add(
                    Damage.LEFT_DIRTY,
                    inode,
                    honeycombs.of(inode).desktop(),
                    "It counts as being written, and nobody writes it; its honeycomb is asked what it is like",
                    () -> leftFiles.settleLeftDirty(inode));
        }
        inode.secondaries()
                .honeycombs()
                .filter(number -> number == inode.honeycomb() || inode.versionIn(number) > inode.version())
                .forEach(number -> findings.add(
                        Damage.PLACES,
                        inode,
                        honeycombs.numbered(number).desktop(),
                        "Its list of secondary replicas names one that cannot be: its primary's place, or a version that it never had",
                        () -> mutator.apply(new Mutation.RemoveSecondary(inode.number(), number))));
    }

    /** What connected honeycombs must hold of a regular file; null when that is nothing. */
    @Nullable
    CheckedFile expected(Inode inode) {
        CheckedFile.Builder file = CheckedFile.newBuilder()
                .setReplica(ReplicaNumber.newBuilder().setInode(inode.number()).setGeneration(inode.generation()));
        inode.replicas()
                .mapToObj(honeycombs::numbered)
                .filter(honeycomb -> honeycomb.isConnected() && mustHold(inode, honeycomb))
                .forEach(honeycomb -> file.addHoneycombs(honeycomb.uuid()));
        if (file.getHoneycombsCount() == 0) {
            return null;
        }
        if (!inode.dirty() && !inode.unsealed()) {
            compare(inode, file);
        }
        return file.build();
    }

    /**
     * Whether a honeycomb must have a replica of a file: its primary, unless nothing was ever committed; or a version
     * that it has fetched.
     */
    static boolean mustHold(Inode inode, Honeycomb honeycomb) {
        if (honeycomb.errandQueue().drops().has(inode.number())) {
            return false;
        }
        return inode.honeycomb() == honeycomb.number()
                ? inode.version() != 0
                : inode.secondaries().has(honeycomb.number()) && inode.versionIn(honeycomb.number()) != 0;
    }

    private void compare(Inode inode, CheckedFile.Builder file) {
        IntStream.concat(IntStream.of(inode.honeycomb()), inode.secondaries().current())
                .mapToObj(honeycombs::numbered)
                .filter(Honeycomb::isConnected)
                .forEach(honeycomb -> file.addCurrentHoneycombs(honeycomb.uuid()));
        Capability capability = Capability.newBuilder()
                .setInode(inode.number())
                .setEpoch(inode.epoch())
                .setRead(true)
                .build();
        file.setEpoch(inode.epoch())
                .setVersion(inode.version())
                .setSize(inode.size())
                .setCapability(capability.toByteString());
    }
}
