package org.beefs.queenbee.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.beefs.common.wire.CheckedEntries;
import org.beefs.common.wire.CheckedFile;
import org.beefs.common.wire.CheckedInodes;
import org.beefs.common.wire.CheckedReplicas;
import org.beefs.common.wire.LookAgain;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.replication.Replication;

/**
 * The parts of a check, each short enough for one pass. Remembers nothing between them. Belongs to the namespace
 * thread.
 */
public final class HiveCheck {
    /** Inodes of one part, about. */
    private static final int MOST_INODES = 1024;

    private final Namespace namespace;
    private final TreeCheck tree;
    private final FileCheck files;
    private final ReplicaCheck replicas;

    public HiveCheck(
            Namespace namespace,
            Numbering numbering,
            Mutator mutator,
            Honeycombs honeycombs,
            LeftFiles leftFiles,
            Replication replication) {
        this.namespace = namespace;
        tree = new TreeCheck(namespace, mutator, new Rescue(namespace, mutator, numbering));
        files = new FileCheck(leftFiles, honeycombs, mutator);
        replicas = new ReplicaCheck(namespace, numbering, honeycombs, leftFiles, mutator, replication);
    }

    /**
     * A part of all inodes.
     *
     * @param from where it begins
     * @param now packed
     */
    public CheckedInodes inodes(int from, long now, Findings findings) {
        List<Inode> part = new ArrayList<>();
        int next = namespace.forSome(from, MOST_INODES, part::add);
        CheckedInodes.Builder checked = CheckedInodes.newBuilder().setNext(next).setSeen(part.size());
        KnownNames names = new KnownNames(namespace);
        WaysUp ways = new WaysUp();
        int room = TreeCheck.MOST_ENTRIES;
        for (Inode inode : part) {
            if (inode.isDirectory() && inode.directory().size() > room) {
                checked.addDirectories(inode.number());
            } else if (inode.isDirectory()) {
                room -= inode.directory().size();
                tree.entries(inode, TreeCheck.Position.start(inode), names, findings);
            }
            tree.check(inode, now, ways, findings);
            if (inode.isRegular()) {
                file(inode, findings, checked::addFiles);
            }
        }
        return checked.addAllFindings(findings.all()).build();
    }

    private void file(Inode inode, Findings findings, Consumer<CheckedFile> expected) {
        files.check(inode, findings);
        CheckedFile file = namespace.find(inode.number()) == inode ? files.expected(inode) : null;
        if (file != null) {
            expected.accept(file);
        }
    }

    /** A part of a directory's entries; of one that is gone nothing is left to be checked. */
    public CheckedEntries entries(long number, long after, long stamp, int subdirectories, Findings findings) {
        Inode directory = namespace.find(number);
        if (directory == null || !directory.isDirectory()) {
            return CheckedEntries.getDefaultInstance();
        }
        TreeCheck.Position from =
                after == 0 ? TreeCheck.Position.start(directory) : new TreeCheck.Position(after, stamp, subdirectories);
        TreeCheck.Position end = tree.entries(directory, from, new KnownNames(namespace), findings);
        return CheckedEntries.newBuilder()
                .setAfter(end.after())
                .setStamp(end.stamp())
                .setSubdirectories(end.subdirectories())
                .addAllFindings(findings.all())
                .build();
    }

    /** What a honeycomb has said. */
    public CheckedReplicas replicas(Honeycomb honeycomb, List<ReplicaLook> looks, boolean strays, Findings findings) {
        CheckedReplicas.Builder checked = CheckedReplicas.newBuilder();
        for (ReplicaLook look : looks) {
            long stamp =
                    strays ? replicas.judgeStray(look, honeycomb, findings) : replicas.judge(look, honeycomb, findings);
            if (stamp != 0) {
                checked.addAgain(
                        LookAgain.newBuilder().setReplica(look.getReplica()).setStamp(stamp));
            }
        }
        return checked.addAllFindings(findings.all()).build();
    }
}
