package org.beefs.queenbee.content;

import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;

/** A hive with one desktop, which makes files and says what its replicas are like. */
abstract class OneDesktopTest {
    static final long ROOT = Namespace.ROOT;

    final TestHive hive = new TestHive();
    final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    final long create(String name, long handle) {
        return create(desktop, name, handle);
    }

    static long create(TestDesktop on, String name, long handle) {
        return on.ok(Ask.create(ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
    }

    final long createCommitted(String name, long size) {
        long handle = 1000 + desktop.newHandle();
        long inode = create(name, handle);
        desktop.ok(Ask.release(inode, handle, status(inode, size, 1)));
        return inode;
    }

    final Node node(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode();
    }

    final Layout layout(long inode) {
        return node(inode).getLayout();
    }

    /** A replica of that size; the observation is also its mtime. */
    static ReplicaStatus status(long inode, long size, long observation) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setSize(size)
                .setBlocks(size / 512)
                .setMtime(time(observation))
                .setCtime(time(observation))
                .setObservation(observation)
                .build();
    }

    static Timestamp time(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).setNanos(5).build();
    }
}
