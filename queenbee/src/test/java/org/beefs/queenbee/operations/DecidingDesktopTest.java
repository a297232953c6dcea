package org.beefs.queenbee.operations;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;

/** What tests of decided changes share: a desktop that makes them in a directory, and another one that sees it. */
abstract class DecidingDesktopTest {
    static final long ROOT = Namespace.ROOT;
    static final Duration SILENCE = Duration.ofSeconds(6);
    static final Duration LEASE = Duration.ofSeconds(40);

    final TestHive hive = new TestHive();
    final TestDesktop maker = new TestDesktop(hive, "maker");
    final TestDesktop other = new TestDesktop(hive, "other");
    final Decided decided = Decided.register(maker);
    final Decided others = Decided.register(other);
    final long directory = inode(maker.ok(Ask.mkdir(ROOT, "d", 0755)));

    static List<Long> toldToDrop(TestDesktop desktop, long replica) {
        QueenReply told = desktop.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(ReplicaName.newBuilder().setInode(replica))));
        return told.getDrop().getReplicasList().stream()
                .map(ReplicaName::getInode)
                .toList();
    }

    List<String> names(long parent) {
        return List.copyOf(hive.names(parent).keySet());
    }

    /** What the directory is like, and what is in it. */
    List<String> contents() {
        return Stream.concat(
                        Stream.of(text("", hive.inode(directory))),
                        hive.names(directory).entrySet().stream()
                                .map(entry -> text(entry.getKey(), hive.inode(entry.getValue()))))
                .toList();
    }

    private static String text(String name, Inode inode) {
        return "%s: %d mode %o links %d times %d %d %d %d"
                .formatted(
                        name,
                        inode.number(),
                        inode.mode(),
                        inode.links(),
                        inode.atime(),
                        inode.mtime(),
                        inode.ctime(),
                        inode.btime());
    }

    static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    static String desktopOf(QueenReply reply) {
        return reply.getNode().getLayout().getDesktop();
    }
}
